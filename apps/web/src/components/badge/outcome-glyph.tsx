import { IconAlertTriangleFilled, IconCheck, IconX } from '@tabler/icons-react';

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
