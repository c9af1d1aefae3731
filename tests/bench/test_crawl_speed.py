from bench.crawl_speed.measure import Cost
from bench.crawl_speed.results import Result, split_lines, table


def result(name, cpu, pages=1000, **split):
    return Result(name, "a setting", pages, Cost(0, cpu, 10.0, 100.0, False, split))


def rows_of(text):
    lines = [line.strip("| ").split(" | ") for line in text.splitlines()[2:]]
    return {line[0]: line for line in lines}


def test_ratios_are_taken_within_a_round_and_shown_with_their_spread():
    rounds = [
        {"telusur-default": result("telusur-default", 2.0), "peer": result("peer", 6.0)},
        {"telusur-default": result("telusur-default", 4.0), "peer": result("peer", 8.0)},
        {"telusur-default": result("telusur-default", 3.0), "peer": result("peer", 12.0)},
    ]
    rows = rows_of(table(rounds, ["telusur-default", "peer"]))
    assert rows["peer"][3:6] == ["8.00", "3.00 (2.00 to 4.00)", "–"]
    assert rows["telusur-default"][3:5] == ["3.00", "1.00 (1.00 to 1.00)"]


def test_runs_of_different_lengths_are_not_compared():
    rounds = [{"telusur": result("telusur", 2.0), "peer": result("peer", 2.0, pages=300)}]
    assert rows_of(table(rounds, ["peer"]))["peer"][3:6] == ["6.67", "–", "–"]


def test_the_share_of_each_process_is_shown():
    rounds = [{"telusur": result("telusur", 3.0, owner=1.0, parser=2.0)}]
    assert list(split_lines(rounds)) == [
        "telusur, CPU-s per 1,000 pages by process: parser 2.00, owner 1.00"
    ]
