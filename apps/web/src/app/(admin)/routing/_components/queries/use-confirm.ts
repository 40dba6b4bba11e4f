'use client';

import { useState } from 'react';

/** The state of a confirmed action: `act` returns why it was refused, or null once it is done; the dialog closes then. */
export function useConfirm(act: () => Promise<string | null>, onDone: () => void) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  async function run(): Promise<void> {
    setBusy(true);
    setRefusal(null);
    try {
      const refused = await act();
      if (refused === null) onDone();
      else setRefusal(refused);
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : 'This did not work. Try again.');
    } finally {
      setBusy(false);
    }
  }
  return { busy, refusal, confirm: () => void run() };
}
