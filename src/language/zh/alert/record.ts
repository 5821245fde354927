import type { RecordWords } from '../../en/alert/record.ts';

export const record: RecordWords = {
  verdicts: {
    better: '并非运气',
    luck: '可能是运气',
    noEdge: '未见优势',
    tooEarly: '尚难判断',
  },
  betterThanLuck: '并非运气',
  share: (cents) => `每份 ${cents}`,
  luckExplains: (share, cents) => `${share}，单凭运气可达 ${cents}`,
  moreCompared: '参与比较的钱包增多',
  beyondLuck: (cents) =>
    `每份 ${cents} 超出运气。如果你的买价比该钱包高出的部分超过这个数，就没有可证实的优势了`,
  markets: (markets) => `${markets} 个市场`,
  noKnownEnd: (count) => `${count} 个结果未知`,
  won: (percent, paidFor) => `胜率 ${percent}，买价相当于 ${paidFor}`,
  withoutEnd: (count, markets) => `${markets} 个中 ${count} 个结果未知，按 0 计`,
  upTo: (day) => `统计截至 ${day} 的买入`,
  oneIn: (n) => `每 ${n} 个市场计入 1 个`,
  before: (figures) => `关注之前：${figures}`,
  boughtOn: (days) => `仅 ${days} 天有买入`,
  tooCheap: (markets) => `冷门过多，${markets} 个市场不足以判断`,
  unknownPace: '其市场要多久才有结果尚不清楚',
  firstVerdict: (day) => `预计 ${day} 可初步判断`,
};
