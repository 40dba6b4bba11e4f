import { IconAlertTriangleFilled, IconCheck, IconX } from '@tabler/icons-react';

/** What a condition of an account came to: it holds, it holds and yet moved the account, or it keeps the account out. */
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
