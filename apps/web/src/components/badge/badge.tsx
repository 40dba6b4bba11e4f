'use client';

import { IconAlertTriangle, IconArrowBackUp, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type PaymentStatus, STATUS_LABELS, type Tone } from '#/copy/payment-status.ts';
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

/** A payment's status as people read it. */
export function StatusBadge({ status }: { status: PaymentStatus }) {
  const { word, tone, meaning } = STATUS_LABELS[status];
  return (
    <Badge tone={tone} warns={status === 'REVERSED'} title={meaning}>
      {word}
    </Badge>
  );
}
