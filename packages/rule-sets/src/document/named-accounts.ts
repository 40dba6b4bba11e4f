import type { Mode, Prisma } from '@switchyard/db/client';
import { ACCOUNTS_MAX } from '@switchyard/merchants/console/gateway-accounts';
import { type ListedGatewayAccount, listGatewayAccountRows, readContracts } from '@switchyard/merchants/gateway-accounts';
import { PAYMENT_METHODS, type RoutableAccount, type RuleSet, type RuleTarget } from '@switchyard/routing';
import type { FieldProblem } from '@switchyard/runtime';
import { contractAt, type FeeContract } from '@switchyard/runtime/fee-contracts';

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
  const { version, keys, rules, defaultOrder, expectations } = ruleSet;
  return {
    version,
    ...(keys && { keys }),
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

/** A merchant's accounts of one mode in routing's form. Whether credentials are valid is known only to the gateway. */
export async function readRoutableAccounts(
  client: Prisma.TransactionClient,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
): Promise<RoutableAccount[]> {
  const rows = await listGatewayAccountRows(client, merchantId, { mode, limit: ACCOUNTS_MAX });
  const contracts = await readContracts(client, merchantId);
  const now = new Date();
  return rows.map((row) => toRoutable(row, contractAt(contracts, row.id, now)));
}

function toRoutable(row: ListedGatewayAccount, contract: FeeContract | null): RoutableAccount {
  return {
    accountId: row.id,
    gateway: row.gateway,
    label: row.label,
    enabled: row.enabled,
    configured: row.hasCredentials,
    currencies: row.currencies,
    methods: PAYMENT_METHODS.filter((method) => row.methods.includes(method)),
    minAmount: Number(row.minAmount),
    maxAmount: row.maxAmount === null ? null : Number(row.maxAmount),
    fees: contract?.schedule ?? null,
  };
}
