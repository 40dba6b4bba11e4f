import { randomUUID } from 'node:crypto';
import type { Database } from '../connect.ts';

/** A row by its columns: decimals and days as text, moments as `Date`. */
export type DrawnRow = Readonly<Record<string, unknown>>;

/** Draws rows of a database's tables. */
export interface RowDrawing {
  /**
   * A row whose every column has a value of its own, which no other column of any row drawn so has: text says where it stands, amounts have
   * cents, moments lie on both sides of midnights and month ends, and neither ids nor amounts are in the order of the moments. A value of an
   * enum goes around with the rows. `given` takes the place of what is drawn, by column; null is a value. A bare row has null wherever it can.
   */
  draw(table: string, given?: DrawnRow, options?: { readonly bare?: boolean }): DrawnRow;
  /** Inserts what was drawn since the last time, table by table in the order of their first rows. */
  store(): Promise<void>;
}

interface Column {
  readonly table: string;
  readonly name: string;
  /** The type without its size; that of the elements for a list. */
  readonly type: string;
  readonly isList: boolean;
  readonly isNullable: boolean;
  /** Characters of a fixed or longest text; null for any. */
  readonly size: number | null;
  /** Labels of an enum, in their order. */
  readonly labels: readonly string[] | null;
}

const COLUMNS = `
SELECT class.relname AS table, attribute.attname AS name, coalesce(element.typname, type.typname) AS type,
  element.typname IS NOT NULL AS "isList", NOT attribute.attnotnull AS "isNullable",
  CASE WHEN type.typname IN ('bpchar', 'varchar') AND attribute.atttypmod > 4 THEN attribute.atttypmod - 4 END AS size,
  (SELECT array_agg(enumlabel::text ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = coalesce(element.oid, type.oid)) AS labels
FROM pg_attribute AS attribute
JOIN pg_class AS class ON class.oid = attribute.attrelid AND class.relkind IN ('r', 'p') AND class.relnamespace = 'public'::regnamespace
JOIN pg_type AS type ON type.oid = attribute.atttypid
LEFT JOIN pg_type AS element ON element.oid = type.typelem AND type.typcategory = 'A'
WHERE attribute.attnum > 0 AND NOT attribute.attisdropped AND attribute.attgenerated = ''
ORDER BY attribute.attnum`;

/** The last half hour of August in Lagos, which is before and after midnight in other zones. */
const FIRST_MOMENT = Date.parse('2026-08-31T22:31:07.413Z');
/** So that the moments of a few rows are of several months, and some of them near the end of a day in any zone; four thousand are different. */
const STEP_MS = 29 * 60_000 + 23_411;
const FIRST_DAY = Date.UTC(2026, 7, 30);
const DAY_MS = 86_400_000;

/** Opens a drawing on a database with all migrations. */
export async function openRowDrawing({ pool }: Pick<Database, 'pool'>): Promise<RowDrawing> {
  const { rows } = await pool.query<Column>(COLUMNS);
  const columnsOf = Map.groupBy(rows, ({ table }) => table);
  const counts = new Map<string, number>();
  const next = (kind: string): number => {
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return count;
  };
  const waiting = new Map<string, DrawnRow[]>();
  return {
    draw(table, given = {}, { bare = false } = {}) {
      const columns = columnsOf.get(table);
      if (columns === undefined) throw new Error(`there is no table ${table}`);
      const unknown = Object.keys(given).filter((name) => !columns.some((column) => column.name === name));
      if (unknown.length > 0) throw new Error(`${table} has no column ${unknown.join(', ')}`);
      const position = next(`row of ${table}`);
      const row: Record<string, unknown> = {};
      for (const column of columns) {
        const { name, isNullable } = column;
        if (Object.hasOwn(given, name)) row[name] = given[name];
        else row[name] = bare && isNullable ? null : drawValue(column, position, next);
      }
      waiting.set(table, [...(waiting.get(table) ?? []), row]);
      return row;
    },
    async store() {
      for (const [table, drawn] of waiting) {
        waiting.delete(table);
        const json = JSON.stringify(drawn, (_, value) =>
          isBytes(value) ? `\\x${Buffer.from(value.data).toString('hex')}` : value,
        );
        await pool.query(`INSERT INTO "${table}" SELECT * FROM jsonb_populate_recordset(NULL::"${table}", $1)`, [json]);
      }
    },
  };
}

/** True for bytes as JSON has them. */
function isBytes(value: unknown): value is { readonly data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
}

type Counter = (kind: string) => number;

/** A value for a column of the table's row at `position`. */
function drawValue(column: Column, position: number, next: Counter): unknown {
  const value = drawElement(column, position, next);
  return column.isList ? [value] : value;
}

function drawElement({ table, name, type, size, labels }: Column, position: number, next: Counter): unknown {
  if (labels !== null) return labels[position % labels.length];
  switch (type) {
    case 'uuid':
      return randomUUID();
    case 'text':
    case 'citext':
    case 'varchar':
    case 'bpchar':
      return size === null ? `${table}.${name} ${next('text')}` : lettersOf(next('letters'), size);
    case 'numeric':
      return `${scattered(next('number'))}.${String((position % 89) + 10)}`;
    case 'int8':
    case 'int4':
      return scattered(next('number'));
    case 'int2':
      return (next('small number') * 7_919) % 32_749;
    case 'float8':
      return scattered(next('number')) + 0.25;
    case 'bool':
      return position % 2 === 1;
    case 'timestamptz':
      return new Date(FIRST_MOMENT + ((next('moment') * 1_613) % 4_001) * STEP_MS);
    case 'date':
      return new Date(FIRST_DAY + ((next('day') * 41) % 331) * DAY_MS).toISOString().slice(0, 10);
    case 'json':
    case 'jsonb':
      return { [`${table}.${name}`]: next('document') };
    case 'bytea':
      return Buffer.from(`${table}.${name} ${next('bytes')}`);
    default:
      throw new Error(`no value can be drawn for ${table}.${name} of type ${type}`);
  }
}

/** A number of its own for each count below ten million, in no order. */
function scattered(count: number): number {
  return (((count + 1) * 7_368_787) % 9_999_991) + 1_000;
}

const LETTERS = 26;

/** Capital letters of their own for each count, as many as fit. */
function lettersOf(count: number, size: number): string {
  let rest = count;
  let text = '';
  for (let at = 0; at < size; at += 1) {
    text = String.fromCharCode(65 + (rest % LETTERS)) + text;
    rest = Math.floor(rest / LETTERS);
  }
  return text;
}
