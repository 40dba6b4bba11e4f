'use client';

import { IconAlertTriangle, IconAlertTriangleFilled, IconArrowBackUp, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type PaymentStatus, STATUS_LABELS, type Tone } from '#/copy/payment-status.ts';

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
    <span
      className="inline-flex items-baseline gap-1.25 h-5.5 -ml-1.5 pl-1.5 pr-2 rounded-[11px] text-xs font-medium leading-5.5 whitespace-nowrap tone-ink data-[tone=wait]:bg-wait-soft data-[tone=bad]:bg-bad-soft"
      data-tone={tone}
      title={title}
    >
      <Glyph size={12} stroke={2.4} className="self-center" aria-hidden="true" />
      {children}
    </span>
  );
}

/** A payment's status as people read it. */
export function StatusBadge({ status }: { status: PaymentStatus }) {
  const { word, tone, meaning } = STATUS_LABELS[status];
  return (
    <Badge tone={tone} warns={status === 'REVERSED'} title={meaning}>
      {word}
    </Badge>
  );
}

/** The outcome of an account's condition: passed, passed but moved the account in the order, or excluded the account. */
export function OutcomeGlyph({ outcome }: { outcome: 'holds' | 'attention' | 'fails' }) {
  switch (outcome) {
    case 'holds':
      return <IconCheck size={15} stroke={2} role="img" aria-label="Holds" />;
    case 'attention':
      return <IconAlertTriangleFilled size={14} role="img" aria-label="Holds, with a warning" />;
    case 'fails':
      return <IconX size={15} stroke={2.6} role="img" aria-label="Fails" />;
    default:
      return outcome satisfies never;
  }
}
