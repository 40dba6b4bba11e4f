import { type KeysByName, keysByName } from '../keys/match-keys.ts';
import { declaredSpelling, readMetadataValue } from '../keys/metadata-values.ts';
import type { MetadataCondition, MetadataKey, RuleSet } from '../types.ts';

/** A problem of a document. `${field} ${message}` reads as a sentence; `field` is a dotted path (`rules.0.when.amount.to`). */
export interface RuleSetProblem {
  readonly field: string;
  readonly message: string;
}

/** Conditions and expectations of a document that name an undeclared key, or a value outside its type. */
export function keyProblems({ keys, rules, expectations = [] }: RuleSet): RuleSetProblem[] {
  const declared = keysByName(keys);
  return [
    ...rules.flatMap(({ when: { metadata = [] } }, rule) =>
      metadata.flatMap((condition, at) => conditionProblems(condition, declared, `rules.${rule}.when.metadata.${at}`)),
    ),
    ...expectations.flatMap(({ payment }, at) =>
      Object.entries(payment.keys?.metadata ?? {}).flatMap(([name, value]): RuleSetProblem[] => {
        const field = `expectations.${at}.payment.keys.metadata.${name}`;
        const key = declared.get(name);
        if (key === undefined) return [{ field, message: UNDECLARED }];
        return readMetadataValue(key, { [name]: value }) === undefined ? [{ field, message: describeType(key) }] : [];
      }),
    ),
  ];
}

const UNDECLARED = "must be declared among the document's keys";

function conditionProblems(condition: MetadataCondition, declared: KeysByName, path: string): RuleSetProblem[] {
  const key = declared.get(condition.key);
  if (key === undefined) return [{ field: `${path}.key`, message: UNDECLARED }];
  switch (condition.is) {
    case 'present':
    case 'absent':
      return [];
    case 'between':
      return key.type === 'integer' ? [] : [{ field: `${path}.is`, message: `must not be between: ${key.label} is no integer` }];
    case 'one_of':
    case 'none_of':
      if (key.type === 'integer') return [{ field: `${path}.is`, message: `must be between: ${key.label} is an integer` }];
      return condition.values.flatMap((value, at) =>
        isOfType(key, value) ? [] : [{ field: `${path}.values.${at}`, message: describeType(key) }],
      );
    default:
      return condition satisfies never;
  }
}

function isOfType(key: MetadataKey, value: string | boolean): boolean {
  if (typeof value === 'boolean') return key.type === 'boolean';
  return key.type === 'string' || (key.type === 'enum' && declaredSpelling(key, value) !== undefined);
}

function describeType(key: MetadataKey): string {
  switch (key.type) {
    case 'string':
      return 'must be text';
    case 'enum':
      return `must be one of ${key.values.join(', ')}`;
    case 'integer':
      return 'must be an integer';
    case 'boolean':
      return 'must be true or false';
    default:
      return key satisfies never;
  }
}
