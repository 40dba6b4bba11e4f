import type { RouterOutputs } from '../trpc/outputs.ts';
import type { Tone } from './payment-status.ts';

type Message = RouterOutputs['alerts']['messages']['items'][number];

/** The change of the alert that a message reports. */
export const EVENT_WORDS: Readonly<Record<Message['event'], string>> = {
  opened: 'Opened',
  acknowledged: 'Acknowledged',
  escalated: 'Escalated',
  recovered: 'Recovered',
  absorbed: 'Merged',
  test: 'Test',
};

/** State of a message. */
export const STATE_WORDS: Readonly<Record<Message['state'], string>> = {
  PENDING: 'Pending',
  SENT: 'Sent',
  FAILED: 'Failed',
  SKIPPED: 'Not sent',
};

export const STATE_TONES: Readonly<Record<Message['state'], Tone>> = {
  PENDING: 'wait',
  SENT: 'good',
  FAILED: 'bad',
  SKIPPED: 'over',
};

const REASONS: Readonly<Record<string, string>> = {
  muted: 'It was muted',
  absorbed: 'It was merged into another alert first',
  quiet_hours: 'Suppressed by quiet hours',
  channel_off: 'The channel was disabled',
  channel_removed: 'The channel was removed',
  email_not_set_up: 'E-mail is not set up: SWITCHYARD_SMTP_URL',
  timeout: 'No response in time',
  unreachable: 'Nothing responds at the address',
  unknown_host: 'The host name does not resolve',
  address_refused: 'The address is not allowed',
  certificate: 'The certificate is not valid',
  connection_lost: 'The connection was lost',
  malformed_answer: 'The response was not HTTP',
};

/** Why a message was not sent, or not yet; empty without a reason. */
export function describeSendError(error: string | null): string {
  if (error === null) return '';
  return REASONS[error] ?? error.replace(/^status /, 'HTTP ');
}

/** The kinds of channels. */
export const CHANNEL_WORDS = {
  email: 'E-mail',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
  webhook: 'Signed webhook',
} as const;
