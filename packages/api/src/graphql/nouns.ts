import { Prisma } from '@switchyard/db/client';
import type { NounOf, Scope } from '@switchyard/nouns';
import type { Field } from '@switchyard/nouns/fields';
import { filterField } from '@switchyard/nouns/filters';
import { dayText } from '@switchyard/runtime/calendar-days';
import type { Permission } from '@switchyard/staff/permissions';
import { builder, type GraphqlContext } from './builder.ts';
import { getDatamodel } from './generated/pothos.ts';
import { badUserInput, requestedMerchants } from './inputs.ts';
import { enumOf, MODEL_ENUMS, Mode } from './types/enums.ts';

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

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];
type Input = Readonly<Record<string, unknown>>;

/** How the schema has a filter. */
interface FilterForm {
  /** Fields that it leaves out. */
  readonly without?: readonly string[];
  /** Names of its own for fields. */
  readonly names?: Readonly<Record<string, string>>;
}

/**
 * The filter of a noun as an input type, and how a filter is read: by the schema that every transport has, of merchants the viewer may read.
 * Reading throws BAD_USER_INPUT naming the field, and FORBIDDEN for a merchant or a mode that the viewer may not read.
 */
export function nounFilter<Filter extends Scope>(
  name: string,
  description: string,
  noun: NounOf<Filter, Permission>,
  { without = [], names = {} }: FilterForm = {},
) {
  const nameOf = (field: string) => names[field] ?? field;
  const shown = Object.entries(noun.shape).filter(([field]) => !without.includes(field));
  const type = builder.inputType(name, {
    description,
    fields: (t) => Object.fromEntries(shown.map(([field, schema]) => [nameOf(field), inputOf(t, schema)])),
  });
  const read = ({ viewer }: GraphqlContext, given: Input): Filter => {
    const named = shown.map(([field]): [string, unknown] => [field, given[nameOf(field)]]);
    const { data, error } = noun.filter.safeParse(Object.fromEntries(named.filter(([, value]) => value !== null)));
    if (data === undefined) {
      const problems = (error?.issues ?? []).map(({ path: [field, ...rest], message }) => {
        return `${[nameOf(String(field)), ...rest].join('.')} ${message}`;
      });
      throw badUserInput(problems.join('; '));
    }
    return { ...data, merchantIds: requestedMerchants(viewer, noun.permission, data) };
  };
  return { type, read };
}

function inputOf(t: InputFields, schema: Parameters<typeof filterField>[0]) {
  const { kind, about: description } = filterField(schema);
  if (typeof kind === 'object') {
    const isList = 'anyOf' in kind;
    const type = enumOf(isList ? kind.anyOf : kind.oneOf);
    if (type === null) return isList ? t.stringList({ description }) : t.string({ description });
    return isList ? t.field({ type: [type], description }) : t.field({ type, description });
  }
  switch (kind) {
    case 'mode':
      return t.field({ type: Mode, required: true, description });
    case 'ids':
      return t.idList({ description });
    case 'id':
      return t.id({ description });
    case 'names':
      return t.stringList({ description });
    case 'text':
    case 'day':
      return t.string({ description });
    case 'flag':
      return t.boolean({ description });
    case 'amount':
      return t.field({ type: 'Amount', description });
    case 'moment':
      return t.field({ type: 'DateTime', description });
    default:
      return kind satisfies never;
  }
}
