# SPDX-License-Identifier: BSD-3-Clause
#
# What every application's Makefile includes, after it has set NAME and, where wanted,
#   PARTS      files that all versions share, and HEADERS
#   SHMEM_PARTS, MPI_PARTS, OPENMP_PARTS
#              files of one version, beside its program: NAME.c, NAME_mpi.c, NAME_openmp.c; NAME_armci.c has none;
#              COARRAY_PARTS beside NAME_coarray.f90, which has its world too
#   INCLUDES, LIBRARIES
# `make` builds NAME with OSHCC, `make mpi` NAME-mpi with MPICC, `make openmp` NAME-openmp with CC, `make armci` NAME-armci
# with OSHCC and Sheaf's libarmci, `make coarray` NAME-coarray with OSHFORT and CC; all with CFLAGS, into the folder OUT. Where an
# application has no such version, nothing is built.
OSHCC  ?= oshcc
MPICC  ?= mpicc
OSHFORT ?= oshfort
OUT    ?= ../../build/apps
CFLAGS ?= -O2

COMMON := ../common
PLAIN  := $(COMMON)/plain.c
WORLD   = $(COMMON)/world_$(1).c
EVERY  := $(PARTS) $(PLAIN)
# Every version's functions begin a cache line, so that a kernel that all share has its loops at the same places of lines: on a
# Zen 5 the same loop of heat took 228 ms in one version and 199 ms in another, and 198 ms in both so (288 x 288, gauss-seidel).
ALIGNED = -falign-functions=64
FLAGS   = -std=gnu17 -Wall -Wextra $(ALIGNED) $(CFLAGS) -I$(COMMON) -I$(COMMON)/sparse $(INCLUDES)

.PHONY: all mpi openmp armci coarray clean
all: $(OUT)/$(NAME)
mpi: $(if $(wildcard $(NAME)_mpi.c),$(OUT)/$(NAME)-mpi)
openmp: $(if $(wildcard $(NAME)_openmp.c),$(OUT)/$(NAME)-openmp)
armci: $(if $(wildcard $(NAME)_armci.c),$(OUT)/$(NAME)-armci)
coarray: $(if $(wildcard $(NAME)_coarray.f90),$(OUT)/$(NAME)-coarray)

# $(1) the program, $(2) its world, $(3) its own files, $(4) the compiler, $(5) how its file's name ends
define VERSION
$(1): $(NAME)$(5).c $(EVERY) $(3) $(call WORLD,$(2)) $(HEADERS) $(wildcard $(COMMON)/*.h $(COMMON)/sparse/*.h)
	@mkdir -p $(OUT)
	$(4) $$(FLAGS) -o $$@ $$(filter %.c,$$^) $$(LIBRARIES) -lm
endef

$(eval $(call VERSION,$(OUT)/$(NAME),shmem,$(SHMEM_PARTS) $(COMMON)/app.c,$(OSHCC),))
$(eval $(call VERSION,$(OUT)/$(NAME)-mpi,mpi,$(MPI_PARTS),$(MPICC),_mpi))
$(eval $(call VERSION,$(OUT)/$(NAME)-openmp,openmp,$(OPENMP_PARTS),$(CC) -fopenmp,_openmp))
$(eval $(call VERSION,$(OUT)/$(NAME)-armci,armci,,$(OSHCC),_armci))
$(OUT)/$(NAME)-armci: LIBRARIES += -larmci

# Module files go into a folder of the program's own.
$(OUT)/$(NAME)-coarray: $(NAME)_coarray.f90 $(EVERY) $(COARRAY_PARTS) $(HEADERS) $(wildcard $(COMMON)/*.h)
	@mkdir -p $@.parts
	$(CC) $(FLAGS) -r -o $@.parts/c.o $(filter %.c,$^)
	$(OSHFORT) --coarray $(ALIGNED) $(CFLAGS) -J $@.parts -o $@ $< $@.parts/c.o $(LIBRARIES) -lm
	@rm -r $@.parts

clean:
	rm -f $(OUT)/$(NAME) $(addprefix $(OUT)/$(NAME)-,mpi openmp armci coarray $(MORE))
