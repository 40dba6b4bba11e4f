'use client';

export function PublishTab(_: Record<string, unknown>) {
  return null;
}
