'use client';

import { useState } from 'react';

/**
 * Edited values of a form over the stored ones. The stored values may change while the form is open: fields that were not edited
 * follow them, fields that were edited keep what was typed.
 */
export function useEdits<Values extends object>(stored: Values) {
  const [edits, setEdits] = useState<Partial<Values>>({});
  return {
    draft: { ...stored, ...edits },
    edit: (change: Partial<Values>) => setEdits((before) => ({ ...before, ...change })),
    /** After these values were saved: only what was typed since remains. */
    saved(values: Values) {
      setEdits((before) => {
        const rest: Partial<Values> = {};
        for (const name in before) if (before[name] !== values[name]) rest[name] = before[name];
        return rest;
      });
    },
    discard: () => setEdits({}),
  };
}
