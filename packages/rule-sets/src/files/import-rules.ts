import type { Mode, Prisma } from '@switchyard/db/client';
import { namedAccounts, renameAccounts } from '../drafts/named-accounts.ts';
import { readRoutableAccounts } from '../drafts/routable-accounts.ts';
import { inFile, type ReadRuleSetFile, readRuleSetFile } from './rule-set-file.ts';

/** Parses a file for a merchant and mode: labels become account ids; each unknown label is a problem at its path. */
export async function importRuleSet(
  transaction: Prisma.TransactionClient,
  scope: { readonly merchantId: string; readonly mode: Mode },
  file: unknown,
): Promise<ReadRuleSetFile> {
  const read = readRuleSetFile(file);
  if (!read.ok) return read;
  const accounts = await readRoutableAccounts(transaction, scope);
  const idOf = new Map(accounts.map(({ label, accountId }) => [label, accountId]));
  const problems = namedAccounts(read.ruleSet)
    .filter(({ account }) => !idOf.has(account))
    .map(({ path, account }) => ({
      field: inFile(path),
      message: `names "${account}", and the merchant has no account of that label in ${scope.mode} mode`,
    }));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, ruleSet: renameAccounts(read.ruleSet, (label) => idOf.get(label) ?? label) };
}
