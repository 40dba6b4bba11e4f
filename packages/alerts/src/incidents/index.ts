export { countNotifications, listNotifications, type NotificationInList } from '../notifications/list-notifications.ts';
export { acknowledgeIncident, MUTE_HOURS_MAX, muteIncident, muteKind } from './change-incidents.ts';
export { addIncidentNote, readIncidentWriting, writePostMortem } from './incident-notes.ts';
export { CLOSED_ORDERS, countClosed, findIncident, type IncidentInList, listClosed } from './list-incidents.ts';
export { listMutedKinds } from './list-muted-kinds.ts';
export { type CurrentOutage, type OutageAccount, readCurrentOutage } from './read-current-outage.ts';
