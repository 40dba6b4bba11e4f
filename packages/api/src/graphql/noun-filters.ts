import type { NounOf, Scope } from '@switchyard/nouns';
import { filterField } from '@switchyard/nouns/filters';
import type { Permission } from '@switchyard/staff/permissions';
import { builder, type GraphqlContext } from './builder.ts';
import { badUserInput, requestedMerchants } from './inputs.ts';
import { Mode } from './types/enums.ts';
import { enumOf } from './types/words.ts';

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
