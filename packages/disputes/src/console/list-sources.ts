import type { Mode } from '@switchyard/db/client';
import { findGateway } from '@switchyard/gateways';
import { gatewayTitle } from '@switchyard/gateways/names';
import type { PaymentsContext } from '@switchyard/payments/context';

/** How disputes of an account come, and when they were last read. */
export interface DisputeSourceItem {
  readonly merchantId: string;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  /** `list`: read from the gateway. `hand`: opened by staff users, as the gateway documents no list. */
  readonly road: 'list' | 'hand';
  readonly readAt: Date | null;
  readonly failure: string | null;
}

/** The accounts of these merchants with how their disputes come. */
export async function listDisputeSources(
  { resources }: Pick<PaymentsContext, 'resources'>,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
): Promise<DisputeSourceItem[]> {
  const { configuration, database } = resources;
  await configuration.ready();
  const rows = await database.prisma.disputeSource.findMany({ where: { merchantId: { in: [...merchantIds] } } });
  const sources = new Map(rows.map((row) => [row.accountId, row]));
  return configuration
    .merchants()
    .filter(({ merchant }) => merchantIds.includes(merchant.id))
    .flatMap(({ merchant, accounts }) =>
      accounts
        .filter((account) => account.mode === mode)
        .map(({ id, label, gateway }) => ({
          merchantId: merchant.id,
          accountId: id,
          accountLabel: label,
          gateway,
          gatewayTitle: gatewayTitle(gateway),
          road: findGateway(gateway)?.listDisputes === undefined ? ('hand' as const) : ('list' as const),
          readAt: sources.get(id)?.readTo ?? null,
          failure: sources.get(id)?.failure ?? null,
        })),
    );
}
