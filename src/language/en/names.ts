import { slashTexts } from '../slash.ts';

/** What people type: Discord takes lower case letters, digits, `-` and `_`, 32 at the most. */
export const names = {
  commands: { watch: 'watch', activity: 'activity', flows: 'flows' },
  subcommands: {
    add: 'add',
    edit: 'edit',
    remove: 'remove',
    pause: 'pause',
    resume: 'resume',
    channel: 'channel',
    digest: 'digest',
    scores: 'scores',
    list: 'list',
    status: 'status',
    export: 'export',
    import: 'import',
  },
  options: {
    wallet: 'wallet',
    channel: 'channel',
    label: 'label',
    kinds: 'kinds',
    'min-usdc': 'min-usdc',
    style: 'style',
    mention: 'mention',
    markets: 'markets',
    'min-price': 'min-price',
    'max-price': 'max-price',
    liquidity: 'liquidity',
    size: 'size',
    cooldown: 'cooldown',
    'mention-min-usdc': 'mention-min-usdc',
    'mention-cooldown': 'mention-cooldown',
    'silent-below-usdc': 'silent-below-usdc',
    reset: 'reset',
    for: 'for',
    view: 'view',
    consensus: 'consensus',
    'consensus-within': 'consensus-within',
    language: 'language',
    every: 'every',
    at: 'at',
    'time-zone': 'time-zone',
    day: 'day',
    format: 'format',
    file: 'file',
    market: 'market',
    action: 'action',
    from: 'from',
    to: 'to',
    transaction: 'transaction',
  },
};
export type Names = typeof names;

/** Commands as texts name them. */
export const slash = slashTexts(names);
