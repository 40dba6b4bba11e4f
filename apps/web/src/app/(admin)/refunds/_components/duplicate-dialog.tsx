'use client';

import { gatewayTitle } from '#/copy/gateways.ts';
import { CHARGE_LABELS, type ChargeState, describeControlRefusal } from '#/copy/refunds.ts';
import { formatMoney } from '#/format/amounts.ts';
import { ConfirmDialog } from '#/forms/form-dialog.tsx';
import { done, reply } from '#/forms/reply.ts';
import { DismissDialog } from './dismiss-dialog.tsx';
import { type ChargeRow, showApprovalRequested, showRefundRequested, useDecideCharge } from './use-refunds.ts';

/** Refunds a duplicate charge, or dismisses it, after showing the consequences. */
export function DuplicateDialog({ charge, by, onClose }: { charge: ChargeRow; by: 'refund' | 'dismiss'; onClose: () => void }) {
  return by === 'refund' ? <RefundCharge charge={charge} onClose={onClose} /> : <Dismiss charge={charge} onClose={onClose} />;
}

const moneyOf = ({ currency, amount }: ChargeRow) => formatMoney(currency, amount);

function Lead({ charge }: { charge: ChargeRow }) {
  return (
    <>
      Order <strong>{charge.merchantOrderId}</strong> was already paid when {gatewayTitle(charge.gateway)} received{' '}
      <strong>{moneyOf(charge)}</strong> again, as transaction {charge.transactionId}.
    </>
  );
}

function RefundCharge({ charge, onClose }: { charge: ChargeRow; onClose: () => void }) {
  const { refund } = useDecideCharge();
  const { merchantId, duplicateChargeId } = charge;

  async function refundCharge() {
    const outcome = await refund.mutateAsync({ merchantId, duplicateChargeId });
    return reply(outcome, {
      requested: () => {
        showRefundRequested(moneyOf(charge), charge.merchantOrderId);
        return null;
      },
      given_back: () => done(`${moneyOf(charge)} of order ${charge.merchantOrderId} was already refunded.`),
      not_open: ({ state }) => already(state),
      not_whole: ({ message }) => message,
      needs_approval: () => {
        showApprovalRequested(moneyOf(charge), charge.merchantOrderId);
        return null;
      },
      needs_reason_code: (refused) => describeControlRefusal(refused, charge.currency),
      over_daily_limit: (refused) => describeControlRefusal(refused, charge.currency),
    });
  }

  return (
    <ConfirmDialog
      title="Refund duplicate payment"
      action={`Refund ${moneyOf(charge)}`}
      variant="danger"
      onConfirm={refundCharge}
      onClose={onClose}
    >
      <p className="lead">
        <Lead charge={charge} />
      </p>
      <p className="consequence">
        {moneyOf(charge)} is returned to the customer through {gatewayTitle(charge.gateway)}. This cannot be undone. The payment
        itself does not change.
      </p>
    </ConfirmDialog>
  );
}

function Dismiss({ charge, onClose }: { charge: ChargeRow; onClose: () => void }) {
  const { dismiss } = useDecideCharge();
  const { merchantId, duplicateChargeId } = charge;

  async function dismissIt(note: string) {
    const outcome = await dismiss.mutateAsync({ merchantId, duplicateChargeId, note });
    if (outcome.kind === 'not_open') return already(outcome.state);
    return done(`The duplicate payment of order ${charge.merchantOrderId} was dismissed.`);
  }

  return (
    <DismissDialog
      title="Dismiss duplicate payment"
      lead={<Lead charge={charge} />}
      consequence={`No money is returned: ${moneyOf(charge)} stays with the merchant. This cannot be undone here.`}
      action={`Dismiss ${moneyOf(charge)}`}
      onDismiss={dismissIt}
      onClose={onClose}
    />
  );
}

function already(state: Exclude<ChargeState, 'OPEN'>): string {
  return `Already resolved: ${CHARGE_LABELS[state].meaning.toLowerCase()}.`;
}
