import type { JsonValue } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { PaymentMethod } from '@switchyard/routing';
import type { MerchantConfiguration } from '@switchyard/runtime';

/** A merchant's order, validated. Amount in whole main units. */
export interface Order {
  readonly merchantOrderId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly customer: { readonly email: string; readonly id: string | null; readonly phone: string | null };
  readonly metadata: JsonValue;
  readonly redirectUrl: string | null;
  readonly paymentMethod: PaymentMethod | null;
  readonly customerCountry: string | null;
  readonly requestedGateway: string | null;
}

/** The caller of a use case. */
export interface Caller {
  readonly configuration: MerchantConfiguration;
  readonly mode: Mode;
}

/** The phases of a request; milliseconds add up by name. */
export interface Timings {
  add(name: 'route' | 'db' | 'gateway', milliseconds: number): void;
}

/** Runs a step and adds its duration, whether it succeeds or throws. */
export async function timed<T>(timings: Timings, name: 'db' | 'gateway', step: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await step();
  } finally {
    timings.add(name, performance.now() - startedAt);
  }
}

/** Stands in place of an erased text. */
export const ERASED = '[erased]';
/** Stands in place of an erased e-mail address; `.invalid` is never anyone's (RFC 2606). */
export const ERASED_EMAIL = 'erased@customer.invalid';
