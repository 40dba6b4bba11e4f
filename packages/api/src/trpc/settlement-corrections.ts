import { type Correction, type CorrectionEffect, type EffectRefusal, previewEffect } from '@switchyard/accounting/corrections';
import {
  previewStatementWithdrawal,
  previewWithdrawal,
  type StatementWithdrawalOutcome,
  type StatementWithdrawalPreview,
  type WithdrawalOutcome,
  type WithdrawalPreview,
  withdraw,
  withdrawStatement,
} from '@switchyard/settlements/corrections';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { authorOf } from './discrepancy-changes.ts';
import { correctionReason } from './entered-fields.ts';
import { missing, oneMerchant } from './inputs.ts';
import { permitted, router, type TrpcContext } from './procedure.ts';

const resolving = permitted('reconciliation:resolve');
const NOTHING = 'There is no such account, payout, file or statement, or you have no access to it.';

/** A payout that came by a file, all that a file brought, or a statement of the bank. */
const withdrawn = z.object({
  merchantId: z.uuid().toLowerCase(),
  what: z.enum(['settlement', 'file', 'statement']),
  id: z.uuid().toLowerCase(),
});

/** The changes that a withdrawal would make. */
type Preview = WithdrawalPreview | StatementWithdrawalPreview;

/** Withdrawals of what was recorded by mistake. */
export const withdrawals = router({
  /** Says what would go. Changes nothing. */
  preview: resolving.input(withdrawn).query(async ({ ctx, input }): Promise<Preview> => {
    const merchantId = oneMerchant(ctx, input.merchantId);
    const preview = await previewOf(ctx.switchyard.payments, { ...input, merchantId });
    return preview.kind === 'preview' ? preview : refuse(preview);
  }),
  /** Says what would become of discrepancies, the books and closed months. Changes nothing. */
  effect: resolving.input(withdrawn).query(({ ctx, input }): Promise<CorrectionEffect> => {
    const merchantId = oneMerchant(ctx, input.merchantId);
    return effectOf(ctx, correctionOf({ ...input, merchantId }));
  }),
  /** Withdraws exactly what the preview of this hash said, or does nothing. */
  withdraw: resolving
    .input(withdrawn.extend({ hash: z.string().max(100), reason: correctionReason }))
    .mutation(async ({ ctx, input }) => {
      const { what, id, hash, reason } = input;
      const by = { ...authorOf(ctx, input), hash, reason };
      const outcome = await run(ctx.switchyard.payments, what, id, by);
      return outcome.kind === 'withdrawn' || outcome.kind === 'changed' ? outcome : refuse(outcome);
    }),
});

type What = z.output<typeof withdrawn>;
type Payments = TrpcContext['switchyard']['payments'];

function previewOf(payments: Payments, { merchantId, what, id }: What) {
  switch (what) {
    case 'settlement':
      return previewWithdrawal(payments, { merchantId, settlementId: id });
    case 'file':
      return previewWithdrawal(payments, { merchantId, fileId: id });
    case 'statement':
      return previewStatementWithdrawal(payments, { merchantId, statementId: id });
    default:
      return what satisfies never;
  }
}

function correctionOf({ merchantId, what, id }: What): Correction {
  switch (what) {
    case 'settlement':
      return { kind: 'withdrawal', withdrawn: { merchantId, settlementId: id } };
    case 'file':
      return { kind: 'withdrawal', withdrawn: { merchantId, fileId: id } };
    case 'statement':
      return { kind: 'statement_withdrawal', withdrawn: { merchantId, statementId: id } };
    default:
      return what satisfies never;
  }
}

function run(
  payments: Payments,
  what: What['what'],
  id: string,
  by: { readonly merchantId: string; readonly actor: string; readonly hash: string; readonly reason: string },
): Promise<WithdrawalOutcome | StatementWithdrawalOutcome> {
  switch (what) {
    case 'settlement':
      return withdraw(payments, { ...by, settlementId: id });
    case 'file':
      return withdraw(payments, { ...by, fileId: id });
    case 'statement':
      return withdrawStatement(payments, { ...by, statementId: id });
    default:
      return what satisfies never;
  }
}

/** The effect of a correction. Throws where there is none to show. */
export async function effectOf(
  { switchyard }: Pick<TrpcContext, 'switchyard'>,
  correction: Correction,
): Promise<CorrectionEffect> {
  const outcome = await previewEffect(switchyard.payments, correction);
  return outcome.kind === 'effect' ? outcome : refuse(outcome);
}

/** Says why there is nothing to show or do. */
export function refuse(refusal: EffectRefusal): never {
  switch (refusal.kind) {
    case 'not_found':
      return missing(NOTHING);
    case 'too_large':
      throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: `The file is larger than ${refusal.bytesMax / 1_048_576} MiB.` });
    case 'refused':
      throw new TRPCError({ code: 'BAD_REQUEST', message: refusal.why });
    default:
      return refusal satisfies never;
  }
}
