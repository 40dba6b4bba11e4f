-- Totals of a run name their sides as discrepancies do: ledger and statement.
UPDATE "reconciliation_run" AS run
SET "totals" = coalesce((
    SELECT json_agg(
        json_build_object(
            'currency', line -> 'currency',
            'ledger', line -> 'ours',
            'statement', line -> 'theirs',
            'fees', line -> 'fees',
            'ledgerRefunded', line -> 'oursRefunded',
            'statementRefunded', line -> 'theirsRefunded'
        )
        ORDER BY place
    )
    FROM json_array_elements(run."totals") WITH ORDINALITY AS lines (line, place)
), '[]')
WHERE json_typeof("totals") = 'array';
