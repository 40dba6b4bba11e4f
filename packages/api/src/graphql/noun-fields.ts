import { Prisma } from '@switchyard/db/client';
import type { Field } from '@switchyard/nouns/fields';
import { dayText } from '@switchyard/runtime/calendar-days';
import { builder } from './builder.ts';
import { getDatamodel } from './generated/pothos.ts';
import { MODEL_ENUMS } from './types/enums.ts';

type Shown = Parameters<typeof builder.objectFields>[0];
type FieldBuilder = Parameters<Parameters<typeof builder.objectFields>[1]>[0];

/** Fields that types have in a form of their own: merchant and mode say who may read them, gateway and account are an `Account`. */
const IN_FORM = ['merchant_id', 'mode', 'gateway', 'account_id'];

const MODELS = getDatamodel().datamodel.models;
type Column = NonNullable<(typeof MODELS)[string]>['fields'][number];

/**
 * Adds fields of a noun to the type of its model: those that are columns, by the names of the model, with the meaning that files have. Their
 * types, and whether they may be null, are the model's. `id` is the field that has its id.
 */
export function showFields(
  type: Shown,
  model: string,
  { fields }: { readonly fields: readonly Field[] },
  id: string,
  without: readonly string[] = [],
): void {
  const columns = new Map((MODELS[model]?.fields ?? []).map((column) => [column.name, column]));
  const shown = fields.flatMap((field) => {
    const name = field.name === id ? 'id' : camel(field.name);
    const column = columns.get(name);
    return column === undefined || [...IN_FORM, ...without].includes(field.name) ? [] : [{ name, field, column }];
  });
  builder.objectFields(type, (t) => {
    return Object.fromEntries(shown.map(({ name, field, column }) => [name, fieldOf(t, field, column)]));
  });
}

/** Reads a column of a row, and throws for a value of another type than the model says. */
function reader<Value>({ name, type }: Column, read: (value: unknown) => Value | undefined) {
  const optional = (row: object): Value | null => {
    const value: unknown = Reflect.get(row, name);
    if (value === null) return null;
    const found = read(value);
    if (found === undefined) throw new Error(`${name} is no ${type}`);
    return found;
  };
  const required = (row: object): Value => {
    const value = optional(row);
    if (value === null) throw new Error(`${name} is null`);
    return value;
  };
  return { optional, required };
}

const decimalOf = (value: unknown) => (value instanceof Prisma.Decimal ? value.toFixed() : undefined);
const wholeOf = (value: unknown) => (typeof value === 'bigint' ? value : undefined);
const momentOf = (value: unknown) => (value instanceof Date ? value : undefined);
const dayOf = (value: unknown) => (value instanceof Date ? dayText(value) : undefined);
const flagOf = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
const countOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function fieldOf(t: FieldBuilder, { about: description, value: { is } }: Field, column: Column) {
  const { name, type, kind, isRequired } = column;
  const may = { description, nullable: true } as const;
  const must = { description, nullable: false } as const;
  if (kind === 'enum') {
    const words = MODEL_ENUMS.get(type);
    if (words === undefined) throw new Error(`${type} has no enum in the schema`);
    const { optional, required } = reader(column, textOf);
    return isRequired
      ? t.field({ ...must, type: words, resolve: required })
      : t.field({ ...may, type: words, resolve: optional });
  }
  switch (type) {
    case 'Decimal': {
      const { optional, required } = reader(column, decimalOf);
      return isRequired
        ? t.field({ ...must, type: 'Decimal', resolve: required })
        : t.field({ ...may, type: 'Decimal', resolve: optional });
    }
    case 'BigInt': {
      const { optional, required } = reader(column, wholeOf);
      return isRequired
        ? t.field({ ...must, type: 'Amount', resolve: required })
        : t.field({ ...may, type: 'Amount', resolve: optional });
    }
    case 'DateTime': {
      if (is === 'day') {
        const { optional, required } = reader(column, dayOf);
        return isRequired ? t.string({ ...must, resolve: required }) : t.string({ ...may, resolve: optional });
      }
      const { optional, required } = reader(column, momentOf);
      return isRequired
        ? t.field({ ...must, type: 'DateTime', resolve: required })
        : t.field({ ...may, type: 'DateTime', resolve: optional });
    }
    case 'Boolean': {
      const { optional, required } = reader(column, flagOf);
      return isRequired ? t.boolean({ ...must, resolve: required }) : t.boolean({ ...may, resolve: optional });
    }
    case 'Int': {
      const { optional, required } = reader(column, countOf);
      return isRequired ? t.int({ ...must, resolve: required }) : t.int({ ...may, resolve: optional });
    }
    case 'Json':
      return t.field({ ...may, type: 'JSON', resolve: reader(column, (value) => value).optional });
    case 'String': {
      const { optional, required } = reader(column, textOf);
      const text = is === 'code' && /^id$|Id$/.test(name) ? 'ID' : 'String';
      return isRequired
        ? t.field({ ...must, type: text, resolve: required })
        : t.field({ ...may, type: text, resolve: optional });
    }
    default:
      throw new Error(`${name} is a ${type}, which the schema has no type for`);
  }
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
