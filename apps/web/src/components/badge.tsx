import { IconAlertTriangle, IconArrowBackUp, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type PaymentStatus, STATUS_WORDS, type Tone } from '../words/payment-status.ts';
import classes from './badge.module.css';

const GLYPHS = { good: IconCheck, wait: IconClock, bad: IconX, over: IconArrowBackUp } as const;

/** A state of affairs: a word with a shape of its own, and a colour that says the same. */
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

/** A payment's status. */
export function StatusBadge({ status }: { status: PaymentStatus }) {
  const { word, tone, meaning } = STATUS_WORDS[status];
  return (
    <Badge tone={tone} title={meaning}>
      {word}
    </Badge>
  );
}
