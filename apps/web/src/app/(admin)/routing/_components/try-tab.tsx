'use client';

export function TryTab(_: Record<string, unknown>) {
  return null;
}
