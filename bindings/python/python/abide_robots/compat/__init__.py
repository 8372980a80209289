"""Drop-ins for other parsers: :mod:`abide_robots.compat.protego` and
:mod:`abide_robots.compat.robotparser`.

Their methods are those of the originals; their answers are those of RFC 9309.
``docs/drop-ins.md`` lists each difference with the clause that requires it.
"""
