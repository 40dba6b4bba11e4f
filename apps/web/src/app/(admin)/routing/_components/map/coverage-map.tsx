'use client';

import type { PaymentKeys } from '@switchyard/routing';
import { useQueryStates } from 'nuqs';
import { type CSSProperties, type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { mapParsers } from '#/app/(admin)/routing/address.ts';
import { Select } from '#/components/select/select.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { gatewayTokens } from '#/theme/gateway-colours.ts';
import { bandHead, bandText, targetText } from '../rules/copy.ts';
import { type Account, METHODS, type RuleDocument } from '../rules/document.ts';
import {
  type Cell,
  countriesOf,
  currenciesOf,
  keysChoicesOf,
  type CoverageMap as Layout,
  type Lead,
  layOutCoverage,
} from './coverage.ts';
import classes from './coverage-map.module.css';

interface CoverageMapProps {
  readonly document: RuleDocument;
  readonly accounts: readonly Account[];
  readonly currency: string;
  readonly country: string | null;
  readonly keys: PaymentKeys;
  /** The rule to highlight. */
  readonly lit: string | null;
  readonly onLight: (ruleId: string | null) => void;
  /** Called for a cell that is clicked; without it cells are read-only. */
  readonly onPick: (cell: Cell) => void;
  readonly picked: Cell | null;
  readonly hint: string;
}

const BANDS_SHOWN = 40;

/** A map of the rule that decides each payment: methods down, amounts across. The arrow keys go from cell to cell. */
export function CoverageMap({
  document,
  accounts,
  currency,
  country,
  keys,
  lit,
  onLight,
  onPick,
  picked,
  hint,
}: CoverageMapProps) {
  const [skip, setSkip] = useState(0);
  const [at, setAt] = useState<Pick<Cell, 'method' | 'from'> | null>(null);
  const layout = useMemo(
    () => layOutCoverage(document, accounts, { currency, country, keys, methods: METHODS, limit: BANDS_SHOWN, skip }),
    [document, accounts, currency, country, keys, skip],
  );
  const descriptionId = useId();
  const point = (cell: Cell | null) => {
    setAt(cell);
    onLight(cell?.position === null || cell === null ? null : (document.rules[cell.position]?.ruleId ?? null));
  };
  // The pointed place may be decided by another rule by now.
  const pointed =
    at === null ? undefined : layout.rows.find(({ method }) => method === at.method)?.cells.find((cell) => holds(cell, at.from));
  const shown = pointed ?? picked;
  return (
    <div className="min-w-0">
      <div className="-mx-1 px-1 pb-1 overflow-x-auto">
        <Grid
          layout={layout}
          document={document}
          currency={currency}
          lit={lit}
          picked={picked}
          descriptionId={descriptionId}
          onPoint={point}
          onPick={onPick}
        />
      </div>
      {layout.omitted > 0 && <More layout={layout} skip={skip} onSkip={setSkip} />}
      <p
        className="min-h-10 mt-1.5 text-sm leading-5 data-[quiet=true]:text-ink-faint [&_b]:font-semibold"
        id={descriptionId}
        data-quiet={shown === null}
      >
        {shown === null ? hint : <CellDescription cell={shown} document={document} accounts={accounts} currency={currency} />}
      </p>
      <Legend layout={layout} />
    </div>
  );
}

function Grid({
  layout,
  document,
  currency,
  lit,
  picked,
  descriptionId,
  onPoint,
  onPick,
}: Pick<CoverageMapProps, 'document' | 'currency' | 'lit' | 'picked' | 'onPick'> & {
  layout: Layout;
  descriptionId: string;
  onPoint: (cell: Cell | null) => void;
}) {
  const table = useRef<HTMLTableElement>(null);
  const [stop, setStop] = useState({ row: 0, at: 0 });
  function press(event: KeyboardEvent, row: number, cell: Cell) {
    const next = neighbour(layout, row, cell, event.key);
    if (next === null) return;
    event.preventDefault();
    setStop({ row: next.row, at: next.cell.at });
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.row}:${next.cell.at}"]`)?.focus();
  }
  const isStop = (row: number, cell: Cell) =>
    row === Math.min(stop.row, layout.rows.length - 1) && cell.at <= stop.at && stop.at < cell.at + cell.span;
  return (
    <table
      ref={table}
      className={classes.table}
      style={{ minWidth: 92 + layout.bands.length * 74 }}
      onPointerLeave={() => onPoint(null)}
    >
      <caption className="sr-only">Which rule decides, by method and amount in {currency}</caption>
      <thead>
        <tr>
          <th scope="col" className={classes.corner}>
            {currency}
          </th>
          {layout.bands.map((band) => (
            <th key={band.from} scope="col" title={bandText(currency, band)}>
              <span aria-hidden="true">{bandHead(band)}</span>
              <span className="sr-only">{bandText(currency, band)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {layout.rows.map(({ method, cells }, row) => (
          <tr key={method}>
            <th scope="row">{methodTitle(method)}</th>
            {cells.map((cell) => {
              const ruleId = cell.position === null ? null : (document.rules[cell.position]?.ruleId ?? null);
              return (
                <td key={cell.at} colSpan={cell.span}>
                  <button
                    type="button"
                    className={classes.cell}
                    data-cell={`${row}:${cell.at}`}
                    data-kind={cell.leads.length === 0 ? 'none' : ruleId === null ? 'gap' : 'rule'}
                    data-lit={ruleId !== null && ruleId === lit}
                    aria-pressed={picked !== null && isSameCell(picked, cell)}
                    aria-describedby={descriptionId}
                    tabIndex={isStop(row, cell) ? 0 : -1}
                    style={paint(cell.leads)}
                    onPointerEnter={() => onPoint(cell)}
                    onFocus={() => {
                      setStop({ row, at: cell.at });
                      onPoint(cell);
                    }}
                    onBlur={() => onPoint(null)}
                    onKeyDown={(event) => press(event, row, cell)}
                    onClick={() => onPick(cell)}
                  >
                    <span className={classes.number}>{cell.position === null ? '–' : cell.position + 1}</span>
                    <span className={classes.identity}>{accountsText(cell, document)}</span>
                    <span className="sr-only">
                      {cell.position === null ? 'no rule' : `rule ${cell.position + 1}`}, {methodTitle(method)},{' '}
                      {bandText(currency, cell)}
                    </span>
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CellDescription({
  cell,
  document,
  accounts,
  currency,
}: Pick<CoverageMapProps, 'document' | 'accounts' | 'currency'> & { cell: Cell }) {
  const rule = cell.position === null ? undefined : document.rules[cell.position];
  const labelOf = (accountId: string) =>
    accounts.find((account) => account.accountId === accountId)?.label ?? 'an account that is gone';
  const what = `${methodTitle(cell.method)}, ${bandText(currency, cell)}`;
  if (rule !== undefined) {
    return (
      <>
        {what}:{' '}
        <b>
          rule {(cell.position ?? 0) + 1}, {rule.name}
        </b>
        , sends it to {targetText(rule.then, labelOf)}.
      </>
    );
  }
  return (
    <>
      {what}: <b>no rule</b>.{' '}
      {cell.leads.length === 0 ? 'No account can take it.' : `The default order decides: ${cell.leads[0]?.label} is first.`}
    </>
  );
}

function Legend({ layout }: { layout: Layout }) {
  const leads = layout.rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.leads));
  const accounts = [...new Map(leads.map((lead) => [lead.accountId, lead])).values()];
  const hasGap = layout.rows.some(({ cells }) => cells.some(({ position }) => position === null));
  return (
    <ul className={classes.legend} aria-label="Colours">
      {accounts.map(({ accountId, gateway, label }) => (
        <li key={accountId}>
          <i style={{ background: gatewayTokens(gateway).strong }} aria-hidden="true" />
          {label} first
        </li>
      ))}
      {hasGap && (
        <li>
          <i
            className="bg-[repeating-linear-gradient(135deg,var(--ground-hover)_0_5px,var(--line-strong)_5px_6px)]"
            aria-hidden="true"
          />
          no rule: default order
        </li>
      )}
    </ul>
  );
}

function More({ layout, skip, onSkip }: { layout: Layout; skip: number; onSkip: (skip: number) => void }) {
  const total = layout.bands.length + layout.omitted;
  return (
    <div className={classes.more}>
      <button type="button" disabled={skip === 0} onClick={() => onSkip(Math.max(0, skip - BANDS_SHOWN))}>
        Smaller amounts
      </button>
      <span>
        Bands {skip + 1} to {skip + layout.bands.length} of {total}
      </span>
      <button type="button" disabled={skip + BANDS_SHOWN >= total} onClick={() => onSkip(skip + BANDS_SHOWN)}>
        Larger amounts
      </button>
    </div>
  );
}

/** The cell that an arrow key leads to; up and down stay at the amount. */
function neighbour(layout: Layout, row: number, cell: Cell, key: string): { readonly row: number; readonly cell: Cell } | null {
  const across = key === 'ArrowRight' ? cell.at + cell.span : key === 'ArrowLeft' ? cell.at - 1 : cell.at;
  const down = key === 'ArrowDown' ? row + 1 : key === 'ArrowUp' ? row - 1 : row;
  if (across === cell.at && down === row) return null;
  const found = layout.rows[down]?.cells.find(({ at, span }) => at <= across && across < at + span);
  return found === undefined ? null : { row: down, cell: found };
}

function holds({ from, to }: Cell, amount: number): boolean {
  return from <= amount && amount <= (to ?? Number.POSITIVE_INFINITY);
}

function isSameCell(one: Cell, other: Cell): boolean {
  return one.method === other.method && one.from === other.from && one.to === other.to;
}

function accountsText({ leads, position }: Cell, document: RuleDocument): string {
  const strategy = position === null ? null : document.rules[position]?.then.strategy;
  if (leads.length === 0) return 'no account';
  if (leads.length === 1) return leads[0]?.label ?? '';
  if (strategy === 'success_rate') return 'success rate';
  if (strategy === 'lowest_cost') return 'lowest fee';
  if (strategy === 'expected_value') return 'expected value';
  return leads.map(({ label, share }) => `${Math.round(share * 100)}% ${label}`).join(', ');
}

/** The fills of those who may be first, each as wide as its share, and their strong colours for the edge. */
function paint(leads: readonly Lead[]): CSSProperties & Record<`--${string}`, string> {
  const stops = (tone: 'strong' | 'soft') => {
    let from = 0;
    const parts = leads.map(({ gateway, share }) => {
      const to = from + share * 100;
      const part = `${gatewayTokens(gateway)[tone]} ${from}% ${to}%`;
      from = to;
      return part;
    });
    return parts.length === 0 ? 'none' : `linear-gradient(90deg, ${parts.join(', ')})`;
  };
  return { '--fill': stops('soft'), '--edge': stops('strong') };
}

const NO_KEYS: PaymentKeys = {};

/** The currency, the customers' country and the values of keys that the map is drawn for, from the address; unknown values count as none. */
export function useMapScope(document: RuleDocument, accounts: readonly Account[]) {
  const [asked, setAsked] = useQueryStates(mapParsers);
  const currencies = currenciesOf(document.rules, accounts);
  const currency = currencies.find((each) => each === asked.currency) ?? currencies[0] ?? 'NGN';
  const countries = countriesOf(document.rules, currency);
  const country = countries.find((each) => each === asked.country) ?? null;
  const choices = useMemo(() => keysChoicesOf(document, currency), [document, currency]);
  const choice = choices.find(({ ruleId }) => ruleId === asked.as) ?? null;
  return { currency, currencies, country, countries, choices, choice, keys: choice?.keys ?? NO_KEYS, setAsked };
}

/** Chooses what the map is drawn for; left out where there is nothing to choose. */
export function MapScope({
  currency,
  currencies,
  country,
  countries,
  choices,
  choice,
  setAsked,
}: ReturnType<typeof useMapScope>) {
  if (currencies.length < 2 && countries.length === 0 && choices.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-2 mb-2">
      {currencies.length > 1 && (
        <Select
          label="Currency"
          labelPlace="inside"
          options={currencies.map((value) => ({ value, label: value }))}
          value={currency}
          onChange={(next) => void setAsked({ currency: next })}
        />
      )}
      {countries.length > 0 && (
        <Select
          label="Customers from"
          labelPlace="inside"
          options={[{ value: '', label: 'any other country' }, ...countries.map((value) => ({ value, label: value }))]}
          value={country ?? ''}
          onChange={(next) => void setAsked({ country: next === '' ? null : next })}
        />
      )}
      {choices.length > 0 && (
        <Select
          label="Payments as of"
          labelPlace="inside"
          options={[
            { value: '', label: 'no rule with more conditions' },
            ...choices.map(({ ruleId, label }) => ({ value: ruleId, label })),
          ]}
          value={choice?.ruleId ?? ''}
          onChange={(next) => void setAsked({ as: next === '' ? null : next })}
        />
      )}
    </div>
  );
}
