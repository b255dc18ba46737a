# SPDX-License-Identifier: BSD-3-Clause
#
# Kinds of processors. A page has the full figures of one kind, the last that was measured; bench/data/kinds.json has of each other
# kind what its targets came to, for a column of its own.

import json
import pathlib

FILE = pathlib.Path(__file__).resolve().parent / "data/kinds.json"


def name(machine):
    """The kind in words: virtual machines often hide the model's name, not its family and number."""
    family, model = machine.get("family"), machine.get("model")
    return machine["processor"] + (f", family {family}, model {model}" if family and model else "")


def same(one, other):
    """Earlier figures are without family and model."""
    return name(one) == name(other) or (one["processor"] == other["processor"] and not (one.get("family") and other.get("family")))


def kept():
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def condensed(report, rows):
    """Of a report and its judged rows: [value, times ahead or null, whether nothing is missed] by label."""
    found = {row["label"]: [float(f"{row['value']:.3g}"), row["ahead"] and float(f"{row['ahead']:.3g}"),
                            row["peer_met"] is not False and row["limit_met"] is not False] for row in rows}
    return {"date": report["date"], "machine": report["machine"], "rows": found}


def replaced(everything, page, old, rows, new):
    """kinds.json once `new` takes the place of `old`, whose judged rows are given."""
    others = {kind: record for kind, record in everything.get(page, {}).items() if not same(record["machine"], new["machine"])}
    if old and not same(old["machine"], new["machine"]):
        others[name(old["machine"])] = condensed(old, rows)
    return {**everything, page: others}


def replace(page, old, rows, new):
    everything = replaced(kept(), page, old, rows, new)
    FILE.write_text(json.dumps(everything, indent=0, sort_keys=True) + "\n")


def others(page, report):
    """(kind, record) of the kinds beside the report's own."""
    return [(kind, record) for kind, record in sorted(kept().get(page, {}).items()) if not same(record["machine"], report["machine"])]


def text(page, report):
    """One sentence for a page's head."""
    found = others(page, report)
    if not found:
        return f"No figures of another kind of processor than this one ({name(report['machine'])}) are kept. "
    said = "; ".join(f"{kind} ({record['date']}, with the code of that day)" for kind, record in found)
    return f"Measured on other kinds of processors: {said}. "


def cell(record, row, value_text):
    value, ahead, met = record["rows"].get(row["label"], (None, None, None))
    if value is None:
        return ""
    return ", ".join(filter(None, (value_text(value, row["unit"]), f"{ahead:.3g} ×" if ahead else "", "" if met else "missed")))


def advice(page, report):
    """What to do where no figures of this kind of processor are kept; else empty."""
    last = json.loads((FILE.parent / f"{page}.json").read_text())
    records = [last, *kept().get(page, {}).values()]
    if any(same(record["machine"], report["machine"]) for record in records):
        return ""
    missed = [row["label"] for row in report["targets"] if row["peer_met"] is False or row["limit_met"] is False]
    return (f"bench: the first figures of {name(report['machine'])}; those kept are of {name(last['machine'])}, and so are the built-in "
            f"choices. Missed here: {'; '.join(missed) or 'none'}. `oshtune -o sheaf.tune` measures the choices on this machine, and "
            "SHEAF_TUNE=sheaf.tune has programs use them\n")
