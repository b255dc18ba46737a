# SPDX-License-Identifier: BSD-3-Clause
"""Sheaf for Spack 1.0 and later."""

import os

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Sheaf(CMakePackage):
    """OpenSHMEM 1.6: runs a program as many processes, each of which reads and writes
    the memory of the others."""

    # What `make dist` writes, in the folder in which Spack is called.
    manual_download = True
    url = f"file://{os.getcwd()}/sheaf-0.1.0.tar.gz"

    license("BSD-3-Clause")

    version("0.1.0")

    variant("ucx", default=True, description="Several hosts over UCX")
    variant("ofi", default=False, description="Several hosts over libfabric")
    variant("mpi", default=False, description="Several hosts over an MPI")
    variant(
        "pmix", default=True, description="Slurm by PMIx, and Open MPI's programs under oshrun"
    )
    variant("members", default=True, description="Names of members in error messages")
    variant("fortran", default=True, description="Fortran modules, and oshfort")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    # Loaded while a program runs, by the run path that Spack gives the library.
    depends_on("ucx@1.13:", when="+ucx")
    depends_on("libfabric", when="+ofi")
    depends_on("mpi", when="+mpi")
    depends_on("pmix@4.2:", when="+pmix")
    depends_on("elfutils", when="+members")

    # Benchmarks and applications that depend on a particular OpenSHMEM may name this instead.
    provides("openshmem@1.6")

    conflicts("platform=darwin", msg="Sheaf is for Linux")
    conflicts("platform=windows", msg="Sheaf is for Linux")

    def cmake_args(self):
        args = [
            self.define("BUILD_TESTING", False),
            self.define("SHEAF_WERROR", False),
            self.define("SHEAF_PYTHON", False),
            self.define_from_variant("SHEAF_UCX", "ucx"),
            self.define_from_variant("SHEAF_OFI", "ofi"),
            self.define_from_variant("SHEAF_FORTRAN", "fortran"),
            # Not Spack's wrappers, which are there while Spack builds.
            self.define("SHEAF_WRAPPED_CC", self.compiler.cc),
            self.define("SHEAF_WRAPPED_CXX", self.compiler.cxx),
        ]
        if self.spec.satisfies("+mpi"):
            mpi = self.spec["mpi"]
            family = "OPENMPI" if mpi.name == "openmpi" else "MPICH"
            args.append(self.define(f"{family}_INCLUDE", mpi.prefix.include))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_installed(self):
        Executable(join_path(self.stage.source_path, "packaging", "check"))(self.prefix)
