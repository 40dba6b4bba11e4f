'use client';

import { useState } from 'react';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useRollBack, useRollBackWithToast } from '../publish/use-publication.ts';

/**
 * The decision to put a version back in force instead of the one that was in force when the question was opened, `current`: of another
 * one that is published meanwhile the person has seen nothing, and the server refuses to replace it.
 */
export function useRollBackTo(version: number, inForce: number) {
  const [current] = useState(inForce);
  const rollBack = useRollBack();
  const rollBackWithToast = useRollBackWithToast();
  return {
    current,
    /** Rolls back, and says what came of it with a way back. Throws why it was refused. */
    async rollBack(reason: string): Promise<void> {
      const outcome = await rollBack({ version, baseVersion: current, reason });
      if (outcome.kind === 'needs_approval') {
        showToast({ text: `A draft of version ${version} waits for approval by a second person.` });
        return;
      }
      const { version: next } = outcome.ruleSet;
      showToast({
        text: `The rules of version ${version} are active again, as version ${next}.`,
        action: {
          label: `Back to ${current}`,
          run: () => rollBackWithToast({ version: current, baseVersion: next, reason: `Version ${next} was rolled back.` }),
        },
      });
    },
  };
}
