'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

const DAY_MS = 86_400_000;

/** When a token can expire: days from now. */
export const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
] as const;

type Field = 'name' | 'merchantIds' | 'modes';
const EMPTY: Readonly<Record<Field, string>> = {
  name: 'must not be empty',
  merchantIds: 'must have at least one merchant',
  modes: 'must be test, live or both',
};

interface Values {
  readonly name: string;
  readonly merchantIds: readonly string[];
  readonly modes: readonly Mode[];
  readonly life: (typeof LIFETIMES)[number]['value'];
}

/** The values of a new finance token, what is wrong with them, and creating it. `token` is the secret once it was created. */
export function useTokenForm(onDone: () => void) {
  const trpc = useTRPC();
  const { mode, merchantId } = useScope();
  const [values, setValues] = useState<Values>({
    name: '',
    merchantIds: merchantId === null ? [] : [merchantId],
    modes: [mode],
    life: '90',
  });
  const [problems, setProblems] = useState<Partial<Record<Field, string>>>({});
  const [token, setToken] = useState<string | null>(null);
  const issue = useMutation(trpc.financeTokens.issue.mutationOptions());

  function change(next: Partial<Values>) {
    setValues((before) => ({ ...before, ...next }));
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in next))));
  }

  /** Shows that a field is empty as soon as it is left. */
  function leave(field: Field) {
    if (isEmpty(values[field])) setProblems((before) => ({ ...before, [field]: EMPTY[field] }));
  }

  async function submit() {
    const missing = (['name', 'merchantIds', 'modes'] as const).filter((field) => isEmpty(values[field]));
    if (missing.length > 0) {
      setProblems(Object.fromEntries(missing.map((field) => [field, EMPTY[field]])));
      return;
    }
    const { name, merchantIds, modes, life } = values;
    const expiresAt = new Date(Date.now() + Number(life) * DAY_MS);
    const outcome = await issue.mutateAsync({ name, merchantIds: [...merchantIds], modes: [...modes], expiresAt });
    if (outcome.kind === 'issued') {
      setToken(outcome.token);
      onDone();
      return;
    }
    setProblems(Object.fromEntries(outcome.problems.map(({ field, message }) => [field, message])));
  }

  return { values, change, leave, problems, submit, busy: issue.isPending, refusal: issue.error?.message ?? null, token };
}

function isEmpty(value: string | readonly string[]): boolean {
  return typeof value === 'string' ? value.trim() === '' : value.length === 0;
}
