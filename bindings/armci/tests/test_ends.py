# SPDX-License-Identifier: BSD-3-Clause
"""How jobs of ARMCI end: a mistake is a line that names process, call and argument; a killed process ends the job by name
and leaves nothing; allocations take no descriptors. And the names: those of the header are the library's, and each is
called by a test. CTest gives OSHRUN, MISTAKES (the program), LIBRARY and SOURCE (bindings/armci)."""
import os
import re
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

OSHRUN, MISTAKES, LIBRARY = (os.environ[name] for name in ("OSHRUN", "MISTAKES", "LIBRARY"))
SOURCE = Path(os.environ["SOURCE"])
# What process 1 says, behind its call.
SAID = {
    "put": "ARMCI_Put: process 2 is none of the 2, which count from 0",
    "put_none": "ARMCI_NbGet: process -1 is none of the 2, which count from 0",
    "put_freed": "ARMCI_Put: dst 0x... lies in no allocation of process 0: freed, or not of ARMCI_Malloc",
    "accumulate_freed": "ARMCI_Acc: dst 0x... lies in no allocation of process 0: freed, or not of ARMCI_Malloc",
    "get_beyond": "ARMCI_Get: src 0x... of process 0: bytes 0 to 8 from there leave its allocation of 64",
    "get_negative": "ARMCI_Get: bytes is -8, which is negative",
    "strided_beyond": "ARMCI_PutS: dst_ptr 0x... of process 0: bytes 0 to 137438953352 from there leave its allocation of 64",
    "strided_levels": "ARMCI_NbGetS: stride_levels is 9, not 0 to 8",
    "strided_count": "ARMCI_AccS: count[3] is -1, which is negative",
    "strided_overflow": "ARMCI_PutS: 2147483647 runs with a stride of 2147483647 bytes leave the address space",
    "vector_count": "ARMCI_PutV: iov[0] has -1 pieces of 8 bytes",
    "vector_freed": "ARMCI_GetV: src_ptr_array 0x... lies in no allocation of process 0: freed, or not of ARMCI_Malloc",
    "type": "ARMCI_Acc: datatype is 6, none of the ARMCI_ACC_ constants",
    "wrong_alignment": "ARMCI_AccV: dst 0x... of process 0 is no multiple of 8",
    "strided_alignment": "ARMCI_AccS: dst 0x... of process 0 is no multiple of 4",
    "part_of_element": "ARMCI_Acc: 12 bytes are no whole number of elements of 8 bytes",
    "rmw_operation": "ARMCI_Rmw: op is 4, none of ARMCI_Rmw_e",
    "rmw_place": "ARMCI_Rmw: prem 0x... of process 0: not aligned to its type",
    "no_mutexes": "ARMCI_Lock: mutex 0 of process 0: no mutexes were created",
    "mutex_number": "ARMCI_Lock: mutex 3 of process 1, which has created 2",
    "unlock_free": "ARMCI_Unlock: mutex 1 of process 0, which this process has not locked",
    "lock_twice": "ARMCI_Lock: mutex 0 of process 1, which this process has locked already",
    "no_source": "ARMCI_NbPut: src is a null pointer",
    "no_scale": "ARMCI_AccS: scale is a null pointer",
    "short_no_source": "ARMCI_Put: src is a null pointer",
    "short_no_place": "ARMCI_Get: dst is a null pointer",
    "short_no_scale": "ARMCI_Acc: scale is a null pointer",
    "short_no_numbers": "ARMCI_Acc: src is a null pointer",
    "rmw_no_result": "ARMCI_Rmw: ploc is a null pointer",
    "no_piece": "ARMCI_PutV: src is a null pointer",
    "no_members": "ARMCI_Group_create: the members are a null pointer",
    "no_message": "armci_msg_snd: buffer is a null pointer",
    "no_values": "armci_msg_igop: x is a null pointer",
    "no_buffer": "armci_msg_brdcst: buffer is a null pointer",
    "no_bases": "ARMCI_Malloc: the addresses are a null pointer",
    "no_strides": "ARMCI_GetS: the strides of src or of dst are a null pointer",
    "no_count": "ARMCI_PutS: count is a null pointer",
    "no_addresses": "ARMCI_PutV: iov[0] has 2147483647 pieces, and a null pointer for their addresses",
    "free_twice": "ARMCI_Free: address 0x... lies in no allocation: freed, or not of ARMCI_Malloc",
    "negative_size": "ARMCI_Malloc: bytes is -1, which is negative",
    "group_of_others": "ARMCI_Malloc_group: group 0x... is one of others: process 1 is no member",
    "group_of_none": "armci_msg_group_barrier: group 0x... was not created, or is freed",
    "member": "ARMCI_Group_create: member 0 is process 2, none of the parent's 2",
    "wait_for_garbage": "ARMCI_Wait: handle 0x... was not initialized",
    "operation": 'armci_msg_igop: op is "sum", no operation',
    "operation_of_type": "armci_msg_dgop: op is one of integers, type is double",
    "root": "armci_msg_bcast: process 5 is none of the 2, which count from 0",
    "receive": "armci_msg_rcv: a message of 8 bytes with tag 1 from process 1, for a buffer of 4",
}


def left_over():
    return {name for name in os.listdir("/dev/shm") if "sheaf" in name or "armci" in name}


class Ends(unittest.TestCase):
    def run_case(self, *arguments, limit=40):
        done = subprocess.run([OSHRUN, "-n", "2", "--timeout", str(limit), MISTAKES, *arguments], timeout=60,
                              capture_output=True, text=True)
        return done.returncode, done.stdout, re.sub(r"0x[0-9a-f]+", "0x...", done.stderr)

    def test_each_mistake_is_a_line(self):
        with ThreadPoolExecutor(2) as pool: # most of a case is waiting: whether others say the same
            cases = dict(zip(SAID, pool.map(self.run_case, SAID)))
        for name, said in SAID.items():
            with self.subTest(name):
                status, _, errors = cases[name]
                self.assertEqual(status, 1, errors)
                self.assertRegex(errors, rf"(?m)^sheaf: PE 1: error: {re.escape(said)}; called at (mistakes\.c:\d+|test-armci-mistakes\S+) \[SH215\]$")
        status, _, errors = self.run_case()
        self.assertNotEqual(status, 0)
        self.assertIn("ARMCI_Put: called before ARMCI_Init, or after ARMCI_Finalize [SH215]\n", errors)

    def test_an_error_of_the_program_has_its_status(self):
        status, _, errors = self.run_case("say")
        self.assertEqual(status, 3)
        self.assertIn("1: no more of this: 3\n", errors)
        status, _, errors = self.run_case("abort_job")
        self.assertEqual(status, 1, errors) # 256 is none

    def test_a_report_of_a_wait_names_the_call_and_the_line(self):
        status, _, errors = self.run_case("be_late", limit=2)
        self.assertEqual(status, 124, errors)
        self.assertRegex(errors, r"PE 0 waits for PE 1 in ARMCI_Barrier at (mistakes\.c:\d+|test-armci-mistakes)")
        # The last call of the other one is over; it is named with the program's place, too.
        self.assertRegex(errors, r"PE 1\b.* runs its own code; its last collective, wait or allocation was \w+ at (mistakes\.c:\d+|test-armci-mistakes)")

    def test_a_killed_process_ends_the_job_and_leaves_nothing(self):
        before = left_over()
        status, _, errors = self.run_case("be_killed")
        self.assertNotEqual(status, 0)
        self.assertRegex(errors, r"PE 1\b.*killed by signal 9")
        self.assertEqual(left_over(), before)

    def test_allocations_take_no_descriptors(self):
        status, output, errors = self.run_case("count_descriptors")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(sorted(output.splitlines()), ["process 0: 0 more", "process 1: 0 more"])


class Names(unittest.TestCase):
    def test_the_library_has_the_headers_functions(self):
        text = "".join((SOURCE / name).read_text() for name in ("armci.h", "armcix.h"))
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        twins = re.findall(r"\bX\((\w+)\)", text)
        declared = set(re.findall(r"\b((?:ARMCIX?_|p?armci_)\w+)\(", text)) | {f"PARMCI_{name}" for name in twins if name != "X"}
        lines = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
        exported = {line.split()[2] for line in lines.splitlines()}
        self.assertEqual(exported, declared)
        called = "".join(path.read_text() for path in (SOURCE / "tests").glob("*.c"))
        called = called.replace("##letters", "igop").replace("Value##name", "ValueInt")
        for name in sorted(declared - {name for name in declared if name.lower().startswith("parmci")}):
            if not re.search(r"_[lfd]{1,2}gop$|Value(Long|Float|Double)$", name): # of a family that a macro calls
                self.assertTrue(name + "(" in called, name)


if __name__ == "__main__":
    unittest.main()
