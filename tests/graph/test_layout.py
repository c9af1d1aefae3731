import numpy as np

from telusur.graph.layout import SPACING, lay_out


def edges(*pairs):
    both = np.array(pairs, np.int32).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def test_steps_from_the_start_are_steps_from_the_middle():
    tree = edges(*((n // 3, n) for n in range(1, 400)))
    places = lay_out(400, tree)
    away = np.hypot(*places.T)
    step = [0] * 400
    for n in range(1, 400):
        step[n] = step[n // 3] + 1
    for ring in range(max(step)):
        inside = [away[n] for n in range(400) if step[n] == ring]
        outside = [away[n] for n in range(400) if step[n] == ring + 1]
        assert max(inside) <= min(outside) + 1e-9
    assert away.max() <= SPACING * np.sqrt(400)


def test_a_branch_keeps_its_direction():
    tree = edges((0, 1), (0, 2), *((1, n) for n in range(3, 23)), *((2, n) for n in range(23, 43)))
    places = lay_out(43, tree)
    angles = np.arctan2(places[:, 1], places[:, 0]) % (2 * np.pi)
    assert all(angles[3:23] <= np.pi)
    assert all(angles[23:43] >= np.pi)


def test_the_same_map_looks_the_same():
    tree = edges((0, 1), (1, 2))
    assert np.array_equal(lay_out(3, tree), lay_out(3, tree))
    assert lay_out(0, edges()).shape == (0, 2)
