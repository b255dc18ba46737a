# SPDX-License-Identifier: BSD-3-Clause
"""One rank: each call of torch.distributed by sheaf and by gloo, or by what it must give. Started by run.py."""
import datetime
import os
import sys
import threading
import time

import torch
import torch.distributed as dist

from sheaftorch import now

SIZES = (1, 1000, 4099, 300_001)
REDUCED = {torch.float32: 20_001, torch.float64: 5000, torch.int32: 5000, torch.int64: 5001, torch.uint8: 1000, torch.int8: 77}

_kept = []


def keep(tensor):
    """Longer than gloo's groups, as steps.py does."""
    _kept.append(tensor)
    return tensor


def values(count, dtype, seed):
    generator = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point:
        return torch.randn(count, generator=generator, dtype=torch.float64).to(dtype)
    return torch.randint(0, 100, (count,), generator=generator).to(dtype)


def equal(got, expected, what):
    if got.dtype.is_floating_point:
        fits = torch.allclose(got.double(), expected.double(), rtol=1e-5, atol=1e-5)
    else:
        fits = torch.equal(got, expected)
    assert fits, f"rank {dist.get_rank()}: {what}: {got[:5]} and {expected[:5]}"


class Checks:
    def __init__(self, group, gloo, ranks):
        self.group, self.gloo, self.ranks = group, gloo, ranks
        self.size, self.me = len(ranks), ranks.index(dist.get_rank())

    def both(self, call, tensors, what):
        """call(tensors, group) by both backends, on tensors that are equal before."""
        others = [keep(tensor.clone()) for tensor in tensors]
        call(tensors, self.group)
        call(others, self.gloo)
        for tensor, other in zip(tensors, others):
            equal(tensor, other, what)

    def test_allreduce(self):
        for dtype, count in REDUCED.items():
            for op in (dist.ReduceOp.SUM, dist.ReduceOp.PRODUCT, dist.ReduceOp.MIN, dist.ReduceOp.MAX):
                if op == dist.ReduceOp.PRODUCT and dtype not in (torch.float64, torch.int64):
                    continue
                self.both(lambda t, g, op=op: dist.all_reduce(t[0], op, g), [values(count, dtype, self.me)],
                          f"all_reduce {dtype} {op}")
        for count in SIZES:
            self.both(lambda t, g: dist.all_reduce(t[0], group=g), [values(count, torch.float32, self.me)], f"all_reduce {count}")
        for op in (dist.ReduceOp.BAND, dist.ReduceOp.BOR, dist.ReduceOp.BXOR):
            self.both(lambda t, g, op=op: dist.all_reduce(t[0], op, g), [values(99, torch.int32, self.me)], f"all_reduce {op}")

    def test_now(self):
        """sheaftorch.now, with tensors that it takes at once, and others."""
        for dtype, op in ((torch.float32, "sum"), (torch.bfloat16, "avg"), (torch.int64, "max"), (torch.int32, "bxor")):
            for count in SIZES:
                one, other = values(count, dtype, self.me), values(count, dtype, self.me)
                assert now.all_reduce(one, op, self.group) is one
                dist.all_reduce(other, getattr(dist.ReduceOp, op.upper()), self.group)
                assert torch.equal(one, other), f"now.all_reduce {dtype} {op} {count}"
        whole = torch.ones(6, 4)
        now.all_reduce(whole[:, 1], "sum", self.group)
        assert whole.sum() == 18 + 6 * self.size
        now.all_reduce(torch.nn.Parameter(whole, requires_grad=False), "min", self.group)
        for count in SIZES:
            all_values = torch.stack([values(count, torch.float32, rank) for rank in range(self.size)])
            mine, root = all_values[self.me].clone(), self.size - 1
            got = now.all_gather(torch.zeros(self.size, count), mine, self.group)
            assert torch.equal(got, all_values), f"now.all_gather {count}"
            assert torch.equal(now.all_gather(torch.zeros(count, self.size).t(), mine, self.group), all_values)
            got = now.all_to_all(torch.zeros(self.size, count), all_values + self.me, self.group)
            expected = torch.stack([all_values[self.me] + rank for rank in range(self.size)])
            assert torch.equal(got, expected), f"now.all_to_all {count}"
            assert torch.equal(now.broadcast(mine, root, self.group), all_values[root]), f"now.broadcast {count}"
        assert torch.equal(now.broadcast(whole.t()[1] * (1 + self.me), 0, self.group), whole.t()[1])

    def test_now_refuses(self):
        one, whole = torch.ones(3), torch.ones(self.size, 3)
        cases = [(now.all_reduce, one, "mean"), (now.all_reduce, one, "bxor"), (now.broadcast, one, self.size),
                 (now.all_reduce, torch.ones(3, device="meta")), (now.all_gather, torch.ones(1), one)]
        if self.size > 1:
            cases += [(now.all_to_all, whole, torch.ones(self.size + 1, 3)), (now.all_to_all, torch.ones(()), whole)]
        for call, *arguments in cases:
            try:
                call(*arguments, group=self.group)
            except ValueError as error:
                assert call.__name__ in str(error), error
            else:
                raise AssertionError(f"{call.__name__}{arguments} is taken")
        try:
            now.all_reduce(one, group=self.gloo)
        except TypeError as error:
            assert "backend sheaf" in str(error)
        else:
            raise AssertionError("a group of gloo is taken")

    def test_long(self):
        """Longer than caches, and written past them: at odd addresses, and in the input's own place."""
        count, first = 1_500_001, self.ranks[0]
        whole = torch.zeros(self.size * count + 1)[1:]
        own = whole[self.me * count:][:count]
        own.copy_(values(count, torch.float32, self.me))
        dist.all_gather_into_tensor(whole, own, self.group)
        equal(whole, torch.cat([values(count, torch.float32, rank) for rank in range(self.size)]), "all_gather in place")
        self.both(lambda t, g: dist.broadcast(keep(t[0][1:]), first, g), [values(count, torch.float32, self.me)], "broadcast")
        self.both(lambda t, g: dist.all_reduce(keep(t[0][3:]), group=g), [values(count, torch.float32, self.me)], "all_reduce")
        out = torch.zeros(self.size * count + 3)[3:]
        dist.all_to_all_single(out, whole + self.me, group=self.group)
        equal(out, torch.cat([values(count, torch.float32, self.me) + rank for rank in range(self.size)]), "all_to_all")

    def test_long_alltoall(self):
        """Blocks of different lengths, so that members have nothing more to give, or to take, before others; two of them
        begin lines of the caches."""
        def count(sender, receiver):
            return (sender + receiver + 1) * 400_001
        ins = [values(count(self.me, rank), torch.float32, self.me * 100 + rank) for rank in range(self.size)]
        outs = [torch.zeros(count(rank, self.me) + 1)[rank % 2:][:count(rank, self.me)] for rank in range(self.size)]
        dist.all_to_all(outs, ins, self.group)
        for rank, one in enumerate(outs):
            equal(one, values(count(rank, self.me), torch.float32, rank * 100 + self.me), "long all_to_all")

    def test_mixed(self):
        """Long and short calls behind each other, none of which waits for the slowest reader of the one before."""
        generator, size, me = torch.Generator().manual_seed(7), self.size, self.me
        for turn in range(80):
            kind, long, root = (int(torch.randint(most, (1,), generator=generator)) for most in (4, 4, size))
            base = torch.arange((5, 700, 50_000, 600_000)[long], dtype=torch.int32) + turn
            if turn % 7 == me:
                time.sleep(0.002)
            if kind == 0:
                assert torch.equal(now.all_reduce(base + me, "sum", self.group), size * base + size * (size - 1) // 2), turn
            elif kind == 1:
                got = now.broadcast(base * (me + 1), root, self.group)
                assert torch.equal(got, base * (root + 1)), turn
            elif kind == 2:
                got = now.all_gather(torch.empty(size, len(base), dtype=torch.int32), base + me, self.group)
                assert torch.equal(got, torch.stack([base + rank for rank in range(size)])), turn
            else:
                got = now.all_to_all(torch.empty(size, len(base), dtype=torch.int32),
                                     torch.stack([base + me - rank for rank in range(size)]), self.group)
                assert torch.equal(got, torch.stack([base + rank - me for rank in range(size)])), turn

    def test_ways(self):
        """So many calls of one kind and length that areas are written both into the caches and past them (trial.c)."""
        size, me, ranks = self.size, self.me, torch.arange(self.size, dtype=torch.int32)
        for count, calls in ((16_411, 48), (300_001, 24), (1_500_001, 18)):
            base = torch.arange(count, dtype=torch.int32)
            parts = base + ranks[:, None]
            for turn in range(calls):
                mine = base + turn
                assert torch.equal(now.broadcast(mine * (me + 1), turn % size, self.group), mine * (turn % size + 1)), turn
                assert torch.equal(now.all_reduce(mine + me, "sum", self.group), size * mine + size * (size - 1) // 2), turn
                got = now.all_gather(torch.empty(size, count, dtype=torch.int32), mine + me, self.group)
                assert torch.equal(got, parts + turn), turn
                got = now.all_to_all(torch.empty(size, count, dtype=torch.int32), parts * 3 + turn - me, self.group)
                assert torch.equal(got, (base + me) * 3 + turn - ranks[:, None]), turn
                got = torch.empty(count, dtype=torch.int32)
                dist.reduce_scatter(got, list(parts + turn), group=self.group)
                assert torch.equal(got, size * (base + me + turn)), turn

    def test_halves(self):
        """Added as float32, and rounded once."""
        for dtype in (torch.float16, torch.bfloat16):
            for count in (3, 70_000):
                all_values = [values(count, dtype, rank) for rank in range(self.size)]
                all_values[0][:3] = torch.tensor([float("inf"), 6e-8, 0.0])
                total = all_values[0].float()
                for one in all_values[1:]:
                    total += one.float()
                mine = all_values[self.me].clone()
                dist.all_reduce(mine, group=self.group)
                assert torch.equal(mine, total.to(dtype)), (dtype, count, mine[:9], total[:9].to(dtype))
        for count in (3, 5000):  # a complex32 is two float16: to round after each addition would lose the ones
            mine = torch.full((count,), 2048 + 1j if self.me == 0 else 1 + 2j).to(torch.complex32)
            total = torch.full((count,), 2047 + self.size + (2 * self.size - 1) * 1j).to(torch.complex32)
            into = torch.zeros(count, dtype=torch.complex32)
            dist.reduce_scatter(into, [mine] * self.size, group=self.group)
            now.all_reduce(mine, "sum", self.group)
            assert torch.equal(torch.view_as_real(mine), torch.view_as_real(total)), mine[:3]
            assert torch.equal(torch.view_as_real(into), torch.view_as_real(total)), into[:3]
        mean = torch.full((5,), float(self.me))
        dist.all_reduce(mean, getattr(dist.ReduceOp, "AVG"), self.group)
        equal(mean, torch.full((5,), (self.size - 1) / 2), "avg")
        either = torch.tensor([self.me == 0, False, True])
        dist.all_reduce(either, dist.ReduceOp.MAX, self.group)
        assert either.tolist() == [True, False, True]
        turning = torch.tensor([1j * (self.me + 1)])
        dist.all_reduce(turning, group=self.group)
        assert turning.item() == 1j * self.size * (self.size + 1) / 2

    def test_halves_round(self):
        """As torch's own conversions do, over the whole range."""
        every = torch.arange(-32768, 32768, dtype=torch.int32).to(torch.int16)
        for dtype in (torch.float16, torch.bfloat16):
            mine = every.view(dtype) if self.me == 0 else torch.zeros(65536, dtype=dtype)
            before = every.view(dtype).float() + 0.0
            mine = mine.clone()
            dist.all_reduce(mine, group=self.group)
            assert torch.equal(torch.nan_to_num(mine.float(), 7), torch.nan_to_num(before, 7)), dtype
            scaled = values(65536, torch.float32, 3) * torch.logspace(-9, 6, 65536)
            parts = [scaled.to(dtype), (scaled * 0.37).to(dtype)]
            mine = parts[self.me].clone() if self.me < 2 else torch.zeros(65536, dtype=dtype)
            dist.all_reduce(mine, group=self.group)
            expected = parts[0].float() + parts[1].float() if self.size > 1 else parts[0].float()
            assert torch.equal(mine, expected.to(dtype)), dtype

    def test_broadcast(self):
        for root in self.ranks:
            for count in SIZES:
                self.both(lambda t, g: dist.broadcast(t[0], root, g), [values(count, torch.float32, self.me)], "broadcast")
        strange = torch.arange(12).reshape(3, 4).t() * (self.me == 0)
        strange = strange.t().contiguous().t()
        dist.broadcast(strange, self.ranks[0], self.group)
        assert torch.equal(strange, torch.arange(12).reshape(3, 4).t())
        objects = [{"rank": self.me}]
        dist.broadcast_object_list(objects, self.ranks[0], self.group)
        assert objects == [{"rank": 0}]

    def test_values_elsewhere(self):
        """Tensors whose memory is not their values one behind the other: conjugated, negated, and parameters that want gradients."""
        size, whole = self.size, torch.arange(6.).reshape(2, 3)
        turned = (whole + 1j * (self.me + 1)).conj()
        got = torch.zeros(2, 3, dtype=turned.dtype)
        dist.reduce_scatter(got, [turned] * size, group=self.group)
        assert torch.equal(got, size * whole - 1j * (size * (size + 1) // 2)), got
        got = now.all_reduce((whole + 1j * (self.me + 1)).conj(), "sum", self.group)
        assert torch.equal(got, size * whole - 1j * (size * (size + 1) // 2)), got
        got = now.all_gather(torch.zeros(size, 2, 3, dtype=turned.dtype), turned, self.group)
        assert torch.equal(got, torch.stack([whole - 1j * (rank + 1) for rank in range(size)])), got
        assert torch.equal(now.broadcast(turned, 0, self.group), whole - 1j), turned
        got = now.all_reduce(torch.tensor([1j * (self.me + 1)]).conj().imag[:1], "sum", self.group)
        assert got.item() == -sum(range(1, size + 1)), got
        negated = [torch.zeros(()) for _ in range(size)]
        dist.all_gather(negated, torch.tensor([1j * (self.me + 1)]).conj().imag[0], self.group)
        assert [one.item() for one in negated] == [-1.0 - rank for rank in range(size)], negated
        weight = torch.nn.Parameter((whole * (self.me + 1)).t())
        dist.broadcast(weight, self.ranks[0], self.group)
        assert torch.equal(weight, whole.t()) and weight.requires_grad
        dist.all_reduce(weight, group=self.group)
        assert torch.equal(weight, size * whole.t())
        scaled = (weight * 2).t()
        dist.all_reduce(scaled[:, 1], group=self.group, async_op=True).get_future().wait()
        assert torch.equal(scaled, 2 * size * whole * torch.tensor([1, size, 1]))

    def test_reduce(self):
        for root in self.ranks:
            for count in SIZES:
                mine = values(count, torch.float32, self.me)
                dist.reduce(mine, root, group=self.group)
                if dist.get_rank() == root:
                    equal(mine, sum(values(count, torch.float32, rank) for rank in range(self.size)), "reduce")

    def test_allgather(self):
        for count in SIZES:
            outs = [torch.zeros(count) for _ in range(self.size)]
            self.both(lambda t, g: dist.all_gather(t[1:], t[0], g), [values(count, torch.float32, self.me), *outs], "all_gather")
            all_of_them = torch.zeros(count * self.size, dtype=torch.int64)
            into = getattr(dist, "all_gather_into_tensor", None) or dist._all_gather_base
            into(all_of_them, values(count, torch.int64, self.me), self.group)
            equal(all_of_them, torch.cat([values(count, torch.int64, rank) for rank in range(self.size)]), "into_tensor")
        objects = [None] * self.size
        dist.all_gather_object(objects, "x" * self.me, self.group)
        assert objects == ["x" * rank for rank in range(self.size)]

    def test_gather_scatter(self):
        for root in self.ranks:
            for count in SIZES:
                mine, all_of_them = values(count, torch.float32, self.me), None
                if dist.get_rank() == root:
                    all_of_them = [torch.zeros(count) for _ in range(self.size)]
                dist.gather(mine, all_of_them, root, self.group)
                for rank, one in enumerate(all_of_them or []):
                    equal(one, values(count, torch.float32, rank), "gather")
                back = torch.zeros(count)
                dist.scatter(back, all_of_them, root, self.group)
                equal(back, mine, "scatter")

    def test_reduce_scatter(self):
        for count in SIZES:
            ins = [values(count, torch.float32, self.me * 100 + rank) for rank in range(self.size)]
            expected = sum(values(count, torch.float32, rank * 100 + self.me) for rank in range(self.size))
            out = torch.zeros(count)
            dist.reduce_scatter(out, ins, group=self.group)
            equal(out, expected, "reduce_scatter")
            into = getattr(dist, "reduce_scatter_tensor", None) or dist._reduce_scatter_base
            into(out.zero_(), torch.cat(ins), group=self.group)
            equal(out, expected, "reduce_scatter_tensor")

    def test_alltoall(self):
        for count in SIZES:
            ins = [values(count + rank, torch.float32, self.me * 100 + rank) for rank in range(self.size)]
            outs = [torch.zeros(count + self.me) for _ in range(self.size)]
            dist.all_to_all(outs, ins, self.group)
            for rank, one in enumerate(outs):
                equal(one, values(count + self.me, torch.float32, rank * 100 + self.me), "all_to_all")
            whole = torch.zeros(count * self.size)
            dist.all_to_all_single(whole, torch.arange(count * self.size) + 1000.0 * self.me, group=self.group)
            expected = [torch.arange(count) + self.me * count + 1000.0 * rank for rank in range(self.size)]
            equal(whole, torch.cat(expected), "all_to_all_single")
        sizes = [(self.me + rank) % 3 for rank in range(self.size)]
        out = torch.zeros(sum(sizes), 2)
        dist.all_to_all_single(out, torch.full((sum(sizes), 2), float(self.me)), sizes, sizes, self.group)
        assert out[:, 1].tolist() == [float(rank) for rank in range(self.size) for _ in range(sizes[rank])]

    def test_messages(self):
        after, before = self.ranks[(self.me + 1) % self.size], self.ranks[self.me - 1]
        for count in SIZES:
            got = torch.zeros(count)
            works = [dist.irecv(got, before, self.group), dist.isend(values(count, torch.float32, self.me), after, self.group)]
            for work in works:
                work.wait()
            equal(got, values(count, torch.float32, (self.me - 1) % self.size), "recv")
        # More than are announced at once, received in the other order of tags.
        works = [dist.isend(torch.tensor([tag]), after, self.group, tag) for tag in range(30)]
        for tag in reversed(range(30)):
            got = torch.zeros(1, dtype=torch.int64)
            dist.recv(got, before, self.group, tag)
            assert got.item() == tag
        for work in works:
            work.wait()
        got = torch.zeros(3)
        if self.me == 0:
            senders = set()
            for _ in range(self.size - 1):
                senders.add(dist.recv(got, group=self.group))
            assert senders == set(self.ranks[1:]), senders
        else:
            dist.send(torch.ones(3), self.ranks[0], self.group)
        dist.barrier(self.group)  # or a rank's next message would be received from any rank too
        ops = [dist.P2POp(dist.isend, torch.ones(2), after, self.group), dist.P2POp(dist.irecv, got[:2], before, self.group)]
        for work in dist.batch_isend_irecv(ops):
            work.wait()

    def test_async(self):
        """Several under way at once, waited for in another order; futures; a work that is dropped."""
        tensors = [values(count, torch.float32, self.me) for count in SIZES]
        works = [dist.all_reduce(tensor, group=self.group, async_op=True) for tensor in tensors]
        for work in reversed(works):
            work.wait()
            assert work.is_completed()
        for tensor, count in zip(tensors, SIZES):
            equal(tensor, sum(values(count, torch.float32, rank) for rank in range(self.size)), "async all_reduce")
        tensor = torch.ones(4)
        doubled = dist.all_reduce(tensor, group=self.group, async_op=True).get_future().then(lambda f: f.value()[0] * 2)
        assert doubled.wait().tolist() == [2.0 * self.size] * 4
        dist.all_reduce(torch.ones(1_000_000), group=self.group, async_op=True)
        dist.barrier(self.group)

    def test_callback_waits(self):
        """One that a future calls makes calls itself, and waits for their futures, as PowerSGD's hook does."""
        def again(future):
            total = future.value()[0]
            return dist.all_reduce(total, group=self.group, async_op=True).get_future().then(lambda f: f.value()[0]).wait()

        tensor = torch.ones(300_001)
        future = dist.all_reduce(tensor, group=self.group, async_op=True).get_future().then(again)
        assert torch.equal(future.then(lambda f: f.value() + 1).wait(), torch.full((300_001,), self.size ** 2 + 1.0))

    def test_nobody_waits(self):
        """A call goes on while its rank computes, or waits for something else."""
        tensor = torch.ones(1_000_000)
        work = dist.all_reduce(tensor, group=self.group, async_op=True)
        end = time.monotonic() + 20
        while not (tensor == self.size).all() and time.monotonic() < end:
            time.sleep(0.001)
        assert (tensor == self.size).all()
        work.wait()


def check(group, gloo, ranks):
    checks = Checks(group, gloo, ranks)
    for name in dir(checks):
        if name.startswith("test_"):
            getattr(checks, name)()


def crossing_groups(size):
    """Two groups with members in common, whose calls are made in different orders."""
    if size < 3:
        return
    first, second = dist.new_group([0, 1]), dist.new_group([1, 2])
    me = dist.get_rank()
    a, b = torch.ones(1), torch.ones(1)
    orders = {0: ["a"], 1: ["b", "a"], 2: ["b"]}
    works = [dist.all_reduce(a, group=first, async_op=True) if which == "a" else
             dist.all_reduce(b, group=second, async_op=True) for which in orders.get(me, [])]
    for work in works:
        work.wait()
    if me == 1:
        assert a.item() == b.item() == 2


def of_host(name):
    """MiB of this process, as /proc/self/status has them."""
    with open("/proc/self/status") as status:
        return sum(int(line.split()[1]) for line in status if line.startswith(name)) / 1024


def groups_come_and_go(ranks):
    """A group that is destroyed leaves its memory to the next one of the same members, once its calls have ended on all."""
    calls, before = 30, 0.0
    for turn in range(calls):
        group, works = dist.new_group(ranks), []
        if turn == 2:
            before = of_host("VmRSS")
        if dist.get_rank() in ranks:
            tensors = [torch.full((300_000,), float(turn)) for _ in range(3)]
            if turn % 3 == dist.get_rank():
                time.sleep(0.002)
            works = [dist.all_reduce(tensor, group=group, async_op=True) for tensor in tensors]
            if turn % 2:
                works.pop().wait()
            dist.destroy_process_group(group)
        del group
        for work in works:
            work.wait()
        if works:
            assert all([tensor[turn].item() == turn * len(ranks) for tensor in tensors])
    grown = of_host("VmRSS") - before
    assert grown < calls, f"{calls} groups of {ranks}: {grown:.0f} MiB more than after two"


def shared_waits(size):
    """Several threads wait for one work, and for the one after it, which may lie in the same memory."""
    for turn in range(30):
        tensor = torch.ones(5000)
        works = [dist.all_reduce(tensor, async_op=True) for _ in range(2)]
        if turn % size == dist.get_rank():
            time.sleep(0.002)
        threads = [threading.Thread(target=work.wait) for work in works for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert not any(thread.is_alive() for thread in threads) and tensor[0].item() == size * size


def end_within_callback():
    """The process ends while a future's callback runs, which takes Python's lock again and again."""
    if dist.get_rank() == 1:
        time.sleep(0.1)
    future = dist.all_reduce(torch.ones(1), async_op=True).get_future()
    future.then(lambda _: [time.sleep(0.001) for _ in range(300)])
    future.wait()


def main():
    size = int(os.environ["WORLD_SIZE"])
    dist.init_process_group("sheaf", timeout=datetime.timedelta(seconds=30))
    assert dist.get_backend() == "sheaf" and dist.get_world_size() == size
    check(dist.group.WORLD, dist.new_group(backend="gloo"), list(range(size)))
    crossing_groups(size)
    shared_waits(size)
    groups_come_and_go(list(range(size)))
    groups_come_and_go(list(range(size - 1, 0, -1)) or [0])
    if size > 2:
        ranks = list(range(1, size))
        group, gloo = dist.new_group(ranks), dist.new_group(ranks, backend="gloo")
        if dist.get_rank() in ranks:
            check(group, gloo, ranks)
    dist.barrier()
    end_within_callback()
    dist.destroy_process_group()
    print(f"rank {os.environ['RANK']}: done", flush=True)


main()
sys.exit(0)
