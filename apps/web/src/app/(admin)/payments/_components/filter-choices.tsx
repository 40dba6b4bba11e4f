'use client';

import { useQuery } from '@tanstack/react-query';
<<<<<<< Updated upstream
import { Tick, TickField } from '../../../../components/field/field.tsx';
=======
import { FAILURE_LABELS, FAILURE_REASONS } from '../../../../copy/failure-reasons.ts';
>>>>>>> Stashed changes
import { gatewayTitle, methodTitle } from '../../../../copy/gateways.ts';
import { PAYMENT_STATUSES, STATUS_LABELS } from '../../../../copy/payment-status.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { PaymentFilters } from '../filters.ts';
import classes from './filter-bar.module.css';
import type { FilterChange } from './filter-change.ts';

interface ChoicesProps {
  readonly filters: PaymentFilters;
  readonly onChange: (change: FilterChange) => void;
}

/** Filter by status, and by payments for review. */
export function StatusChoices({ filters, onChange }: ChoicesProps) {
  return (
    <>
<<<<<<< Updated upstream
      <TickField
        label="Status"
        look="menu"
        choices={PAYMENT_STATUSES.map((name) => ({ value: name, label: STATUS_LABELS[name].word }))}
        values={filters.status}
        onChange={(status) => onChange({ status })}
=======
      <Checkbox.Group
        aria-label="Status"
        value={[...filters.status]}
        onChange={(chosen) => onChange({ status: PAYMENT_STATUSES.filter((name) => chosen.includes(name)) })}
      >
        <div className={classes.choices}>
          {PAYMENT_STATUSES.map((name) => (
            <Checkbox key={name} value={name} label={STATUS_LABELS[name].word} size="xs" />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        className={classes.apart ?? ''}
        checked={filters.review}
        onChange={(event) => onChange({ review: event.currentTarget.checked || null })}
        label="Only payments for review"
        size="xs"
>>>>>>> Stashed changes
      />
      <div className={classes.apart}>
        <Tick
          label="Only those for review"
          checked={filters.review}
          onChange={(checked) => onChange({ review: checked || null })}
        />
      </div>
    </>
  );
}

/** Why payments failed. */
export function ReasonChoices({ filters, onChange }: ChoicesProps) {
  return (
    <Checkbox.Group
      aria-label="Reason"
      value={[...filters.reason]}
      onChange={(chosen) => onChange({ reason: FAILURE_REASONS.filter((reason) => chosen.includes(reason)) })}
    >
      <div className={classes.choices}>
        {FAILURE_REASONS.map((reason) => (
          <Checkbox key={reason} value={reason} label={FAILURE_LABELS[reason].word} size="xs" />
        ))}
      </div>
    </Checkbox.Group>
  );
}

const METHODS = ['CARD', 'TRANSFER', 'USSD', 'BANK', 'QR', 'WALLET', 'MOBILE_MONEY', 'DIRECT_DEBIT', 'NONE'] as const;

/** The methods the merchant requested, or none. */
export function MethodChoices({ filters, onChange }: ChoicesProps) {
  return (
<<<<<<< Updated upstream
    <TickField
      label="Method"
      look="menu"
      choices={METHODS.map((name) => ({ value: name, label: name === 'NONE' ? 'None named' : methodTitle(name) }))}
      values={filters.method}
      onChange={(method) => onChange({ method })}
    />
=======
    <Checkbox.Group
      aria-label="Method"
      value={[...filters.method]}
      onChange={(chosen) => onChange({ method: METHODS.filter((name) => chosen.includes(name)) })}
    >
      <div className={classes.choices}>
        {METHODS.map((name) => (
          <Checkbox key={name} value={name} label={name === 'NONE' ? 'Not specified' : methodTitle(name)} size="xs" />
        ))}
      </div>
    </Checkbox.Group>
>>>>>>> Stashed changes
  );
}

/** The gateways to filter by: those with accounts of the merchants, and those already chosen. */
export function GatewayChoices({ filters, onChange }: ChoicesProps) {
  const trpc = useTRPC();
  const { mode } = useScope();
  const { data: health } = useQuery(trpc.system.health.queryOptions(undefined, { staleTime: 60_000 }));
  const known = health?.gateways.filter((gateway) => gateway.mode === mode).map(({ gateway }) => gateway) ?? [];
  const names = [...new Set([...known, 'NONE', ...filters.gateway])];
  if (known.length === 0) return <p className={classes.none}>No merchant has a {mode} account at a gateway.</p>;
  return (
    <>
<<<<<<< Updated upstream
      <TickField
        label="Gateway"
        look="menu"
        choices={names.map((name) => ({ value: name, label: name === 'NONE' ? 'None could take it' : gatewayTitle(name) }))}
        values={filters.gateway}
        onChange={(gateway) => onChange({ gateway })}
=======
      <Checkbox.Group aria-label="Gateway" value={[...filters.gateway]} onChange={(chosen) => onChange({ gateway: chosen })}>
        <div className={classes.choices}>
          {names.map((name) => (
            <Checkbox key={name} value={name} label={name === 'NONE' ? 'No eligible account' : gatewayTitle(name)} size="xs" />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        className={classes.apart ?? ''}
        checked={filters.at === 'NONE'}
        onChange={(event) => onChange({ at: event.currentTarget.checked ? 'NONE' : null })}
        label="Only where no checkout opened"
        size="xs"
>>>>>>> Stashed changes
      />
      <div className={classes.apart}>
        <Tick
          label="Only where no checkout opened"
          checked={filters.at === 'NONE'}
          onChange={(checked) => onChange({ at: checked ? 'NONE' : null })}
        />
      </div>
    </>
  );
}
