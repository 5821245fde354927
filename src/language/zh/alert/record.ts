import type { RecordWords } from '../../en/alert/record.ts';

export const record: RecordWords = {
  won: (percent, markets, price) => `${markets} 个市场胜率 ${percent} @ ${price}`,
  edge: (edge) => `${edge}/份`,
  edgeAndError: (edge, error) => `每份 ${edge} ± ${error}`,
  betterThanLuck: '胜过运气',
  withoutEnd: (count, markets) => `${markets} 个中 ${count} 个结果未知，按亏损计`,
  upTo: (day) => `计入截至 ${day} 的买入`,
  oneIn: (n) => `每 ${n} 个市场计入 1 个`,
  before: (figures) => `关注之前：${figures}`,
  tooEarly: (markets, needed) => `样本不足：${markets}/${needed} 个市场`,
  fromAbout: (tooEarly, day) => `${tooEarly}，预计 ${day} 达标`,
  tooFewDays: (days, needed) => `样本不足：买入日 ${days}/${needed} 天`,
  tooCheap: '样本不足：冷门需要更多市场',
};
