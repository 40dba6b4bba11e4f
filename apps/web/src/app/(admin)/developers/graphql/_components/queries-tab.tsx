'use client';

import { IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Button } from '../../../../../components/button.tsx';
import { saveFile } from '../../../../../components/export-button/download.ts';
import { exportClass } from '../../../../../components/export-button/export-class.ts';
import { Command } from '../../../../../components/first-payment.tsx';
import type { ListDefinition } from '../../../../../components/list/use-list.ts';
import { useNow } from '../../../../../components/now.tsx';
import { Popup } from '../../../../../components/popup/popup.tsx';
import { Refusal } from '../../../../../components/refusal.tsx';
import { csvFile } from '../../../../../format/csv.ts';
import { useScope } from '../../../../../scope/use-scope.ts';
import { shownDays } from '../../../reports/filters.ts';
import { currencyOf, useCurrencies } from '../../../reports/use-currencies.ts';
import { type ExplorerChange, type ExplorerFilters, toParameters } from '../filters.ts';
import { toCsv } from '../query-result.ts';
import { READY_QUERIES, ROWS_MAX, readyQuery } from '../ready-queries.ts';
import classes from './explorer-page.module.css';
import { QueryForm } from './query-form.tsx';
import { ResultTable } from './result-table.tsx';
import { useQueryResult } from './use-query-result.ts';

const SavedViews = lazy(() =>
  import('../../../../../components/list/saved-views.tsx').then((module) => ({ default: module.SavedViews })),
);

/** The explorer as a list of which views are saved: the query and its parameters. */
const SAVED: ListDefinition = { page: 'explorer', columns: [], notSaved: ['tab'] };

/** A ready query, its parameters, its result, and its text. */
export function QueriesTab({ filters, onChange }: { filters: ExplorerFilters; onChange: (change: ExplorerChange) => void }) {
  const scope = useScope();
  const now = useNow();
  const query = readyQuery(filters.query);
  const { mode, merchantIds, from, to } = toParameters(scope, filters, now);
  const currencies = useCurrencies({ mode, ...(merchantIds.length > 0 && { merchantIds }), from, to });
  // The rows of some queries have a currency each; the others add up payments in one.
  const currency = query.currency === null ? currencyOf(filters.currency, currencies) : filters.currency;
  const parameters = toParameters(scope, { ...filters, currency }, now);
  const { data, error, isPlaceholderData } = useQueryResult(query, parameters);
  const days = shownDays(filters, now);

  function save() {
    if (data !== undefined) saveFile(csvFile(toCsv(data)), `${query.id}-${days.from}-${days.to}.csv`);
  }
  return (
    <div className={classes.queries}>
      <nav aria-label="Ready queries">
        <ul className={classes.names}>
          {READY_QUERIES.map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                className={classes.name}
                aria-current={id === query.id}
                onClick={() => onChange({ query: id, status: null })}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <section className={classes.result} aria-label={query.name}>
        <div className={classes.head}>
          <p className={classes.about}>{query.about}</p>
          <Popup
            label="Saved queries"
            align="end"
            button={{
              className: exportClass,
              children: (
                <>
                  Saved queries
                  <IconChevronDown size={14} stroke={1.7} aria-hidden="true" />
                </>
              ),
            }}
            content={(close) => (
              <Suspense>
                <SavedViews definition={SAVED} onDone={close} />
              </Suspense>
            )}
          />
          <Button onClick={save} disabled={data === undefined || isPlaceholderData}>
            Export CSV
          </Button>
        </div>
        <QueryForm query={query} filters={filters} days={days} currencies={currencies} currency={currency} onChange={onChange} />
        <Refusal message={error?.message ?? null} />
        {data === undefined && error === null && (
          <div className={classes.waiting} role="status" aria-label="Loading the result" aria-busy="true" />
        )}
        {data !== undefined && (
          <div className={classes.table} data-stale={isPlaceholderData} aria-busy={isPlaceholderData}>
            <ResultTable result={data} zone={parameters.zone} />
            {data.hasMore && (
              <p className={classes.note}>
                The newest {ROWS_MAX} rows. Totals are of these rows; for all rows, choose a shorter period or export the list.
              </p>
            )}
          </div>
        )}
        <div className={classes.text}>
          <h2>GraphQL</h2>
          <Command text={query.text(parameters)} label="The query as GraphQL" />
        </div>
      </section>
    </div>
  );
}
