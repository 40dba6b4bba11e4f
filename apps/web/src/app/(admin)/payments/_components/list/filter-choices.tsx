'use client';

import type { PaymentFilters } from '#/app/(admin)/payments/filters.ts';
import { Checkbox, CheckboxGroup } from '#/components/field/field.tsx';
import { FAILURE_LABELS, FAILURE_REASONS, type FailureReason } from '#/copy/failure-reasons.ts';
import { gatewayTitle, METHOD_NAMES, methodTitle } from '#/copy/gateways.ts';
import { PAYMENT_STATUSES, type PaymentStatus, STATUS_LABELS } from '#/copy/payment-status.ts';
import { useGateways } from '#/scope/use-gateways.ts';
import { useScope } from '#/scope/use-scope.ts';

/** A change of the filters; null clears one. */
export type FilterChange = {
  status?: PaymentStatus[] | null;
  gateway?: string[] | null;
  at?: string | null;
  method?: string[] | null;
  min?: number | null;
  max?: number | null;
  rule?: string | null;
  reason?: FailureReason[] | null;
  account?: string | null;
  fallback?: string[] | null;
  affected?: string[] | null;
  outcome?: PaymentFilters['outcome'][number][] | null;
  currency?: string | null;
  customer?: string | null;
  q?: string | null;
  from?: string | null;
  to?: string | null;
  review?: boolean | null;
  reversed?: boolean | null;
  disputed?: boolean | null;
};

interface ChoicesProps {
  readonly filters: PaymentFilters;
  readonly onChange: (change: FilterChange) => void;
}

/** Filter by status, and by payments for review, disputed or reversed. */
export function StatusChoices({ filters, onChange }: ChoicesProps) {
  return (
    <>
      <CheckboxGroup
        label="Status"
        variant="menu"
        choices={PAYMENT_STATUSES.map((name) => ({ value: name, label: STATUS_LABELS[name].word }))}
        values={filters.status}
        onChange={(status) => onChange({ status })}
      />
      <div className="mt-3 pt-3 border-t border-line">
        <Checkbox
          label="Only payments for review"
          checked={filters.review}
          onChange={(checked) => onChange({ review: checked || null })}
        />
        <Checkbox
          label="Only with an open dispute"
          checked={filters.disputed}
          onChange={(checked) => onChange({ disputed: checked || null })}
        />
        <Checkbox
          label="Only reversed by the gateway"
          checked={filters.reversed}
          onChange={(checked) => onChange({ reversed: checked || null })}
        />
      </div>
    </>
  );
}

/** Why payments failed. */
export function ReasonChoices({ filters, onChange }: ChoicesProps) {
  return (
    <CheckboxGroup
      label="Reason"
      variant="menu"
      choices={FAILURE_REASONS.map((value) => ({ value, label: FAILURE_LABELS[value].word }))}
      values={filters.reason}
      onChange={(reason) => onChange({ reason })}
    />
  );
}

const METHODS = [...METHOD_NAMES, 'NONE'];

/** The methods the merchant requested, or none. */
export function MethodChoices({ filters, onChange }: ChoicesProps) {
  return (
    <CheckboxGroup
      label="Method"
      variant="menu"
      choices={METHODS.map((name) => ({ value: name, label: name === 'NONE' ? 'Not specified' : methodTitle(name) }))}
      values={filters.method}
      onChange={(method) => onChange({ method })}
    />
  );
}

/** The gateways to filter by: those with accounts of the merchants, and those already chosen. */
export function GatewayChoices({ filters, onChange }: ChoicesProps) {
  const { mode } = useScope();
  const known = useGateways();
  const names = [...new Set([...known, 'NONE', ...filters.gateway])];
  const failing = [...new Set([...known, ...filters.fallback])];
  if (known.length === 0)
    return <p className="max-w-[200px] text-ink-faint text-xs">No merchant has a {mode} account at a gateway.</p>;
  return (
    <>
      <CheckboxGroup
        label="Gateway"
        variant="menu"
        choices={names.map((name) => ({ value: name, label: name === 'NONE' ? 'No eligible account' : gatewayTitle(name) }))}
        values={filters.gateway}
        onChange={(gateway) => onChange({ gateway })}
      />
      <div className="mt-3 pt-3 border-t border-line">
        <Checkbox
          label="Only where no checkout opened"
          checked={filters.at === 'NONE'}
          onChange={(checked) => onChange({ at: checked ? 'NONE' : null })}
        />
      </div>
      <div className="mt-3 pt-3 border-t border-line">
        <p className="mb-1 text-ink-quiet text-xs" aria-hidden="true">
          Fell back from
        </p>
        <CheckboxGroup
          label="Fell back from"
          variant="menu"
          choices={failing.map((name) => ({ value: name, label: `From ${gatewayTitle(name)}` }))}
          values={filters.fallback}
          onChange={(fallback) => onChange({ fallback })}
        />
      </div>
    </>
  );
}
