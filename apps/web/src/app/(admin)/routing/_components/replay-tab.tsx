'use client';

export function ReplayTab(_: Record<string, unknown>) {
  return null;
}
