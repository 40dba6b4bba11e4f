'use client';

import Link from 'next/link';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import type { Tone } from '#/copy/payment-status.ts';
import { formatDecimal, oneCurrency } from '#/format/amounts.ts';
import { useScope } from '#/scope/use-scope.ts';
import { Badge } from '../badge/badge.tsx';
import { MiddleCut } from '../copyable/middle-cut.tsx';
import { Moment } from '../time/moment.tsx';
import type { TableColumn } from './use-table-columns.ts';

/** Properties of every column, whatever its cells hold. */
interface ColumnBase<Row> extends TableColumn {
  /** The header is visible to screen readers only. */
  readonly unseen?: boolean;
  /** The look of its texts; a type of cell has its own. */
  readonly look?: Look | undefined;
  /** Columns of a higher number are left out first where the table is narrow, unless the columns were chosen; those without one stay. */
  readonly priority?: Priority | undefined;
  /** Its place where a row is a card. */
  readonly card?: CardPlace | undefined;
  /** Styles of this column alone. */
  readonly className?: string | undefined;
  /** Its title stands above it on a card, where two of these are beside each other. */
  readonly labelled?: boolean;
  /** Its text wraps and takes the room that the others leave; of several, the first takes it. */
  readonly wraps?: boolean;
  /** It takes the room that the others leave, and its text is cut where that is too little. One at most, where no column wraps. */
  readonly fills?: boolean;
  /** The direction that the first click on the header sorts in; without it the header sorts nothing. */
  readonly sortable?: 'ascending' | 'descending' | undefined;
  /** Key that rows are sorted by in the browser. Only for tables that have all their rows; others are sorted by the server. */
  readonly sortValue?: (row: Row) => string | number | bigint | Date | null;
}

/** The value of a cell; null where the row has nothing in the column. */
type Cell<Row> =
  /** Text, or anything else. */
  | { readonly cell: (row: Row) => ReactNode }
  /** A time, relative to now. */
  | { readonly moment: (row: Row) => Date | null }
  /** An amount; its currency is in the header where all rows have the same. */
  | { readonly money: (row: Row) => MoneyCell | null }
  /** A state in a word, with its meaning on hover. */
  | { readonly badge: (row: Row) => BadgeCell | null }
  /** A gateway account, with its merchant where several are shown. */
  | { readonly account: (row: Row) => AccountCellProps }
  /** A number of things. */
  | { readonly count: (row: Row) => number | null }
  /** The page that the row opens. */
  | { readonly link: (row: Row) => { readonly href: string; readonly text: string } };

/** One column: its title and its cells. It is as wide as its content, and is left out while no row has anything in it. */
export type DataColumn<Row> = ColumnBase<Row> & Cell<Row>;

type Look = 'quiet' | 'strong' | 'number' | 'time' | 'id';
type Priority = 2 | 3 | 4 | 5 | 6;
type CardPlace = 'main' | 'aside' | 'second' | 'third' | 'line' | 'auto' | 'hidden';

interface MoneyCell {
  readonly currency: string;
  readonly amount: string | number | bigint;
  /** Shown on hover. */
  readonly title?: string | undefined;
  /** The page that the row opens. */
  readonly href?: string;
}

interface AccountCellProps {
  readonly accountLabel: string;
  readonly merchantName: string;
}

interface BadgeCell {
  readonly word: string;
  readonly tone: Tone;
  readonly meaning?: string;
  readonly warns?: boolean;
}

const LOOKS: Readonly<Record<Look, string>> = {
  quiet: 'td:text-ink-quiet',
  strong: 'font-medium',
  number: 'tabular-nums text-end',
  time: 'tabular-nums td:text-ink-quiet',
  id: 'font-mono text-xs th:[font-family:inherit] td:text-ink-quiet',
};

/** The widths of a table below which columns are left out. */
const PRIORITIES: Readonly<Record<Priority, string>> = {
  2: '@max-[640px]/room:hidden',
  3: '@max-[760px]/room:hidden',
  4: '@max-[900px]/room:hidden',
  5: '@max-[1020px]/room:hidden',
  6: '@max-[1160px]/room:hidden',
};

const CARD_PLACES: Readonly<Record<CardPlace, string>> = {
  main: 'card:area-main card:text-base',
  aside: 'card:area-aside card:text-end',
  second: 'card:area-second',
  third: 'card:area-third card:text-end',
  line: 'card:block card:col-span-full',
  auto: 'card:[grid-area:auto]',
  hidden: 'card:hidden',
};

/** A column whose cells and styles are worked out. */
export interface ShownColumn<Row> extends ColumnBase<Row> {
  readonly cell: (row: Row) => ReactNode;
}

/** The columns as they are shown over these rows. */
export function shownColumns<Row>(columns: readonly DataColumn<Row>[], rows: readonly Row[]): ShownColumn<Row>[] {
  return columns.map((column) => {
    const { look, content } = contentOf(column, rows);
    const { priority, card, className } = column;
    const classes = [
      (column.look ?? look) && LOOKS[column.look ?? look ?? 'quiet'],
      priority && PRIORITIES[priority],
      card && CARD_PLACES[card],
      className,
    ];
    return { ...column, ...content, className: classes.filter(Boolean).join(' ') };
  });
}

interface Content<Row> {
  readonly look: Look | null;
  readonly content: { readonly cell: (row: Row) => ReactNode; readonly header?: string };
}

function contentOf<Row>(column: DataColumn<Row>, rows: readonly Row[]): Content<Row> {
  if ('cell' in column) return { look: null, content: { cell: column.cell } };
  if ('moment' in column) {
    const { moment } = column;
    return { look: 'time', content: { cell: (row) => momentCell(moment(row)) } };
  }
  if ('money' in column) return { look: 'number', content: moneyContent(column.header, column.money, rows) };
  if ('badge' in column) {
    const { badge } = column;
    return { look: null, content: { cell: (row) => badgeCell(badge(row)) } };
  }
  if ('account' in column) {
    const { account } = column;
    return { look: null, content: { cell: (row) => <AccountCell {...account(row)} /> } };
  }
  if ('count' in column) {
    const { count } = column;
    return { look: 'number', content: { cell: (row) => count(row)?.toLocaleString('en') ?? NOTHING } };
  }
  const { link } = column;
  return { look: null, content: { cell: (row) => linkCell(link(row)) } };
}

/** The text of a cell without a value. */
const NOTHING = '–';

function momentCell(moment: Date | null): ReactNode {
  return moment === null ? NOTHING : <Moment value={moment} />;
}

function badgeCell(state: BadgeCell | null): ReactNode {
  if (state === null) return null;
  const { word, tone, meaning, warns = false } = state;
  return (
    <Badge tone={tone} warns={warns} {...(meaning !== undefined && { title: meaning })}>
      {word}
    </Badge>
  );
}

function AccountCell({ accountLabel, merchantName }: AccountCellProps) {
  return useScope().merchantId === null ? `${accountLabel} · ${merchantName}` : accountLabel;
}

function linkCell({ href, text }: { readonly href: string; readonly text: string }): ReactNode {
  return (
    <Link href={href} prefetch={false} className="row-link font-medium" aria-label={text}>
      <MiddleCut text={text} />
    </Link>
  );
}

/** Amounts with their currency once in the header, where all rows have the same; a card, which has no header, always names it. */
function moneyContent<Row>(header: string, money: (row: Row) => MoneyCell | null, rows: readonly Row[]): Content<Row>['content'] {
  const currency = oneCurrency(rows.map((row) => money(row)?.currency ?? null));
  return {
    header: currency === null ? header : `${header}, ${currency}`,
    cell(row) {
      const amount = money(row);
      if (amount === null) return NOTHING;
      const figure = (
        <>
          <span className={currency === null ? undefined : 'hidden card:inline'}>{amount.currency} </span>
          {formatDecimal(amount.currency, amount.amount)}
        </>
      );
      if (amount.href === undefined) return <span title={amount.title}>{figure}</span>;
      return (
        <Link href={amount.href} prefetch={false} className="row-link font-medium" title={amount.title}>
          {figure}
        </Link>
      );
    },
  };
}

/** A link to what a row is about: a plain click opens it beside the list, any other click opens its own page. */
export function RowLink({ isOpen, onOpen, ...link }: ComponentProps<typeof Link> & { isOpen: boolean; onOpen: () => void }) {
  function click(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  }
  return (
    <Link
      {...link}
      prefetch={false}
      className="row-link font-medium"
      aria-current={isOpen ? 'true' : undefined}
      onClick={click}
    />
  );
}
