'use client';

import { useState } from 'react';
import type { Kind } from '../copy.ts';
import { type AccountDraft, type Problems, readDraft } from './account-draft.ts';

/** The form of an account: a field's problem is shown once it was left, or after a submit. */
export function useAccountForm(begin: AccountDraft, kind: Kind, asksCredentials: boolean) {
  const [draft, setDraft] = useState(begin);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const [refused, setRefused] = useState<Problems>(new Map());
  const { read, problems } = readDraft(draft, kind, asksCredentials);
  const shown = new Map([...[...problems].filter(([field]) => all || left.has(field)), ...refused]);
  return {
    draft,
    read,
    problems: shown,
    isDirty: draft !== begin,
    change(next: AccountDraft) {
      setDraft(next);
      setRefused(new Map());
    },
    begin(next: AccountDraft) {
      setDraft(next);
      setLeft(new Set());
      setAll(false);
      setRefused(new Map());
    },
    leave: (field: string) => setLeft(new Set(left).add(field)),
    /** Returns whether every field is valid, and shows the problems of all that are not. */
    check(): boolean {
      setAll(true);
      return problems.size === 0;
    },
    /** Shows the server's problems beside their fields. */
    refuse: (rejected: readonly { readonly field: string; readonly message: string }[]) =>
      setRefused(new Map(rejected.map(({ field, message }) => [field, message]))),
  };
}

/** The settings of a draft, credentials aside, as the server takes them. */
export function toSettings(draft: AccountDraft, read: ReturnType<typeof readDraft>['read'], kind: Kind) {
  return {
    label: draft.label,
    currencies: [...draft.currencies],
    methods: kind.methods.filter((method) => draft.methods.includes(method)),
    minAmount: read.minAmount,
    maxAmount: read.maxAmount,
    fees: read.fees,
    baseUrl: draft.baseUrl === '' ? null : draft.baseUrl,
  };
}
