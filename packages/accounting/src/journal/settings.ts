import { canonicalJson, type JsonValue } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import { type AccountingContext, type Books, DEFAULT_ZONE } from '../context.ts';
import { type AccountMapping, accountMappingSchema, NO_MAPPING } from './mapping.ts';

/** How a merchant's books are kept. */
export interface AccountingSetting {
  /** IANA time zone whose days and months are meant. */
  readonly timeZone: string;
  readonly mapping: AccountMapping;
}

/** Result of changing the setting, or the reason why it was refused. */
export type AccountingSettingOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly field: 'timeZone' | 'mapping'; readonly why: string };

type Source = { readonly prisma: Pick<AccountingContext['resources']['database']['prisma'], 'accountingSetting'> };

/** How a merchant's books are kept; without a mapping where none was entered. */
export async function readAccountingSetting({ prisma }: Source, { merchantId, mode }: Books): Promise<AccountingSetting> {
  const row = await prisma.accountingSetting.findUnique({ where: { merchantId_mode: { merchantId, mode } } });
  if (row === null) return { timeZone: DEFAULT_ZONE, mapping: NO_MAPPING };
  return { timeZone: row.timeZone, mapping: accountMappingSchema.parse(row.mapping) };
}

/** Changes how the books are kept, audited. Clearing accounts are of the merchant's gateway accounts in this mode. */
export async function changeAccountingSetting(
  context: AccountingContext,
  books: Books,
  setting: AccountingSetting,
  actor: string,
): Promise<AccountingSettingOutcome> {
  const { merchantId, mode } = books;
  const { configuration, database, auditKeys } = context.resources;
  const merchant = configuration.merchant(merchantId);
  if (merchant === undefined) return { kind: 'not_found' };
  const accounts = new Set(merchant.accounts.filter((account) => account.mode === mode).map(({ id }) => id));
  if (!Object.keys(setting.mapping.clearing).every((id) => accounts.has(id))) {
    return {
      kind: 'refused',
      field: 'mapping',
      why: 'A clearing account is of a gateway account that the merchant does not have.',
    };
  }
  return database.prisma.$transaction(async (transaction): Promise<AccountingSettingOutcome> => {
    const before = await readAccountingSetting({ prisma: transaction }, books);
    if (canonicalJson(before) === canonicalJson(setting)) return { kind: 'unchanged' };
    if (before.timeZone !== setting.timeZone && (await transaction.monthClose.count({ where: { merchantId, mode } })) > 0) {
      return {
        kind: 'refused',
        field: 'timeZone',
        why: 'A month is closed: by another time zone, days would be in two months or in none.',
      };
    }
    const now = context.now();
    const { timeZone, mapping } = setting;
    // Written out: Prisma compares the mode in a condition of the conflict, which Citus refuses.
    await transaction.$executeRaw`
      INSERT INTO accounting_setting (merchant_id, mode, time_zone, mapping)
      VALUES (${merchantId}::uuid, ${mode}::mode, ${timeZone}, ${JSON.stringify(mapping)}::jsonb)
      ON CONFLICT (merchant_id, mode) DO UPDATE SET time_zone = excluded.time_zone, mapping = excluded.mapping`;
    const object = {
      objectType: 'accounting_setting',
      objectId: merchantId,
      before: jsonOf(mode, before),
      after: jsonOf(mode, setting),
    };
    const entry = { tenantId: merchantId, entryId: context.newId(), actor, action: 'accounting.setting_changed', ...object };
    await appendAuditEntry(transaction, auditKeys, entry, now);
    return { kind: 'changed' };
  });
}

function jsonOf(mode: Books['mode'], { timeZone, mapping }: AccountingSetting): JsonValue {
  return { mode, timeZone, mapping };
}
