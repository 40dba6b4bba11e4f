import { describe, expect, it } from 'vitest';
import { checkSettings, readSettings, SETTINGS } from './settings.ts';

const KEY = Buffer.alloc(32).toString('base64');
const RIGHT = {
  DATABASE_URL: 'postgresql://localhost/app',
  SWITCHYARD_ENCRYPTION_KEYS: `k1:${KEY}`,
  SWITCHYARD_KEY_PEPPER: KEY,
  SWITCHYARD_PUBLIC_URL: 'https://pay.example.com',
  SWITCHYARD_AUTH_SECRET: KEY,
};

describe('the settings of a process', () => {
  it.each(['web', 'worker', 'reporting'] as const)('of %s are right with the variables that are needed alone', (reader) => {
    expect(() => checkSettings(reader, RIGHT)).not.toThrow();
  });

  it('are refused with the name of every variable that is missing or wrong', () => {
    const wrong = { ...RIGHT, DATABASE_URL: 'mysql://x', SWITCHYARD_KEY_PEPPER: '', PORT: '70000', LOG_LEVEL: 'loud' };
    expect(() => checkSettings('web', wrong)).toThrow(
      /^DATABASE_URL must be .*; SWITCHYARD_KEY_PEPPER is not set; PORT is no port; LOG_LEVEL must be one of /,
    );
  });

  it('are those that it reads itself', () => {
    expect(() => checkSettings('worker', { ...RIGHT, SWITCHYARD_AUTH_SECRET: '', PORT: 'x' })).not.toThrow();
    expect(() => checkSettings('worker', { ...RIGHT, SWITCHYARD_LOOKUPS_AT_ONCE: '0' })).toThrow('SWITCHYARD_LOOKUPS_AT_ONCE');
  });

  it('need a sender where e-mail is sent', () => {
    const mail = { ...RIGHT, SWITCHYARD_SMTP_URL: 'smtp://localhost' };
    expect(() => checkSettings('web', mail)).toThrow(/^SWITCHYARD_MAIL_FROM is not set$/);
    expect(() => checkSettings('web', { ...mail, SWITCHYARD_MAIL_FROM: 'a@example.com' })).not.toThrow();
  });

  it('have their defaults where a variable is empty, and no limit where one is 0', () => {
    const part = SETTINGS.pick({ PORT: true, SHED_OWN_MAX: true, SHED_WAIT_MS: true });
    expect(readSettings(part, { PORT: '', SHED_OWN_MAX: '0' })).toEqual({ PORT: 3_000, SHED_OWN_MAX: null, SHED_WAIT_MS: 3_000 });
  });
});
