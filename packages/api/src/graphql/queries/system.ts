import { type GatewayPresence, readSystemHealth, type SystemHealth } from '@switchyard/runtime/system-health';
import { builder } from '../builder.ts';
import { Mode } from '../types/enums.ts';

const DatabaseHealth = builder.objectRef<SystemHealth['database']>('DatabaseHealth').implement({
  description: 'Whether the database answers.',
  fields: (t) => ({
    up: t.exposeBoolean('up', { description: 'The database answered this check.' }),
    latencyMs: t.exposeFloat('latencyMs', {
      nullable: true,
      description: 'Milliseconds the answer took; null without an answer.',
    }),
  }),
});

const ConfigurationHealth = builder.objectRef<SystemHealth['configuration']>('ConfigurationHealth').implement({
  description: 'Age of the configuration in memory: API keys, gateway accounts and rules.',
  fields: (t) => ({
    current: t.exposeBoolean('current', { description: 'Read within the last five seconds.' }),
    ageMs: t.exposeInt('ageMs', {
      nullable: true,
      description: 'Milliseconds since it was last read; null before the first read.',
    }),
    readAt: t.expose('readAt', { type: 'DateTime', nullable: true, description: 'When it was last read.' }),
  }),
});

const GatewayPresenceType = builder.objectRef<GatewayPresence>('GatewayPresence').implement({
  description: 'The number of accounts at a gateway, over the merchants the caller may read.',
  fields: (t) => ({
    gateway: t.exposeString('gateway', { description: 'The gateway, by name: paystack.' }),
    mode: t.expose('mode', { type: Mode, description: 'Test or live.' }),
    accounts: t.exposeInt('accounts', { description: 'All accounts.' }),
    enabled: t.exposeInt('enabled', { description: 'Enabled accounts.' }),
  }),
});

const SystemHealthType = builder.objectRef<SystemHealth>('SystemHealth').implement({
  description: "Health of the system's dependencies.",
  fields: (t) => ({
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When this was checked.' }),
    database: t.expose('database', { type: DatabaseHealth, description: 'The database.' }),
    configuration: t.expose('configuration', { type: ConfigurationHealth, description: 'The configuration in memory.' }),
    gateways: t.field({
      type: [GatewayPresenceType],
      description: 'Gateways with accounts of the merchants the caller may read.',
      resolve: (health) => [...health.gateways],
    }),
  }),
});

builder.queryField('systemHealth', (t) =>
  t.field({
    type: SystemHealthType,
    description: "Health of the system's dependencies.",
    authScopes: { permission: 'system:read' },
    resolve: async (_root, _input, { switchyard, viewer }) =>
      readSystemHealth(switchyard, [...viewer.merchantsFor('system:read')]),
  }),
);
