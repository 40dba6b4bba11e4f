export { createChannel, removeChannel, type TargetInput, testChannel, updateChannel } from './change-channels.ts';
export { type ChannelSettings, type ListedChannel, settingsOf } from './channel-fields.ts';
export { listChannels } from './list-channels.ts';
export { listChannelsChangedBy } from './list-channels-changed-by.ts';
export { sealedTargets } from './sealed-targets.ts';
export { CHANNEL_KINDS } from './targets.ts';
