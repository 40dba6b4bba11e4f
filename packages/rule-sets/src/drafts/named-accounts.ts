import type { RuleSet, RuleTarget } from '@switchyard/routing';
import type { FieldProblem } from '@switchyard/runtime';

/** One mention of an account in a document. `path` is dotted: `rules.0.then.accounts.1`. */
export interface NamedAccount {
  readonly path: string;
  readonly account: string;
}

/** Every mention of an account, in document order. */
export function namedAccounts(ruleSet: RuleSet): NamedAccount[] {
  const inList = (path: string, accounts: readonly string[]) =>
    accounts.map((account, at) => ({ path: `${path}.${at}`, account }));
  return [
    ...ruleSet.rules.flatMap(({ then: target }, at) => namedByTarget(`rules.${at}.then`, target)),
    ...inList('defaultOrder', ruleSet.defaultOrder),
    ...(ruleSet.expectations ?? []).flatMap(({ goesTo }, at) => inList(`expectations.${at}.goesTo`, goesTo)),
  ];
}

function namedByTarget(path: string, target: RuleTarget): NamedAccount[] {
  if (target.strategy === 'weighted') {
    return target.split.map(({ account }, at) => ({ path: `${path}.split.${at}.account`, account }));
  }
  return target.accounts.map((account, at) => ({ path: `${path}.accounts.${at}`, account }));
}

/** A problem for every mention of an unknown account. */
export function unknownAccounts(ruleSet: RuleSet, isKnown: (account: string) => boolean, message: string): FieldProblem[] {
  const unknown = namedAccounts(ruleSet).filter(({ account }) => !isKnown(account));
  return unknown.map(({ path }) => ({ field: path, message }));
}

/** The same rule set with every account renamed: ids to labels, or labels to ids. */
export function renameAccounts(ruleSet: RuleSet, rename: (account: string) => string): RuleSet {
  const { version, rules, defaultOrder, expectations } = ruleSet;
  return {
    version,
    rules: rules.map((rule) => ({ ...rule, then: renameInTarget(rule.then, rename) })),
    defaultOrder: defaultOrder.map(rename),
    ...(expectations && {
      expectations: expectations.map((expectation) => ({ ...expectation, goesTo: expectation.goesTo.map(rename) })),
    }),
  };
}

function renameInTarget(target: RuleTarget, rename: (account: string) => string): RuleTarget {
  if (target.strategy !== 'weighted') return { ...target, accounts: target.accounts.map(rename) };
  return { ...target, split: target.split.map((share) => ({ ...share, account: rename(share.account) })) };
}
