import { IconAlertTriangle, IconArrowBackUp, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isPartlyRefunded, type PaymentStatus, STATUS_LABELS, type Tone } from '#/copy/payment-status.ts';
import classes from './badge.module.css';

const GLYPHS = { good: IconCheck, wait: IconClock, bad: IconX, over: IconArrowBackUp } as const;

/** A status: a word, an icon of its own shape, and a matching colour. */
export function Badge({
  tone,
  title,
  warns = false,
  children,
}: {
  tone: Tone;
  title?: string;
  warns?: boolean;
  children: ReactNode;
}) {
  const Glyph = warns ? IconAlertTriangle : GLYPHS[tone];
  return (
    <span className={classes.badge} data-tone={tone} title={title}>
      <Glyph size={12} stroke={2.4} aria-hidden="true" />
      {children}
    </span>
  );
}

/** A payment's status; a successful one that was reversed, or refunded in part, shows it, where the amounts are known. */
export function StatusBadge({
  status,
  refunded = 0n,
  reversed = '0',
}: {
  status: PaymentStatus;
  refunded?: bigint;
  /** An exact decimal: what its gateway took back. */
  reversed?: string;
}) {
  if (status === 'SUCCESS' && reversed !== '0') {
    return (
      <Badge tone="bad" warns title="Succeeded, then the gateway took money back">
        Reversed
      </Badge>
    );
  }
  if (isPartlyRefunded(status, refunded)) {
    return (
      <Badge tone="over" title="Succeeded, then refunded in part">
        Partly refunded
      </Badge>
    );
  }
  const { word, tone, meaning } = STATUS_LABELS[status];
  return (
    <Badge tone={tone} title={meaning}>
      {word}
    </Badge>
  );
}
