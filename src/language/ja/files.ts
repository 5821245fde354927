import type { FileWords } from '../en/files.ts';
import type { Terms } from '../terms.ts';

export const files = ({ names, slash }: Terms): FileWords => ({
  export: {
    nothing: 'まだウォッチしているウォレットがないため、エクスポートするものがありません。',
    done: (watches) =>
      `ウォッチ中 ${watches}件。このファイルは、ここでも別のサーバーでも ${slash.import} でインポートできます。`,
  },
  import: {
    notYours: `決められるのは、このファイルを送り、\`/${names.commands.watch}\` を使える人だけです。`,
    counted: (added, changed, same) => `新規 ${added}件、変更 ${changed}件、同一 ${same}件`,
    faultsTitle: (errors) => `エラー ${errors}件：何も変更していません`,
    faults: (counted, errors) =>
      `${counted}、**エラー ${errors}件**。一部だけのインポートはできません。直してからもう一度送ってください。`,
    more: (left) => `… ほか${left}件`,
    nothingToDo: '変更はありません。すでにファイルのとおりです。',
    ask: 'まだ何も変更していません。1時間以内に適用するか、キャンセルしてください。ファイルにないウォレットはそのままです。',
    askTyped: 'まだ何も変更していません。1時間以内に適用するか、キャンセルしてください。',
    nothingToAdd: '変更はありません。すべてそこでウォッチ済みです。',
    apply: '適用',
    cancel: 'キャンセル',
    added: (watch, channel) => `新規：${channel} の ${watch}`,
    changed: (watch, channel, columns) => `変更（${columns}）：${channel} の ${watch}`,
    noName: '名前なし',
    cancelledTitle: 'キャンセルしました',
    appliedTitle: (added, changed) => `適用しました：新規 ${added}件、変更 ${changed}件`,
    applied: `追加したウォレットのアラートが今から届きます。${slash.list} ですべて確認できます。`,
    busy: 'ここで別のインポートを処理中です。1分後にもう一度お試しください。',
    brokenOff: 'このインポートは中断しました。もう一度「適用」を押して完了してください。',
    leftAsTheyAre: (count) => `その間に他の人が変更したため、そのままにしたもの：${count}件。`,
    overtaken:
      'このプレビューの後にウォッチ中のウォレットが変わりました。何もインポートしていません。ファイルをもう一度送ってください。',
    over: `このインポートは終了しています（適用済み、キャンセル済み、置き換え済み、または1時間の期限切れ）。${slash.list} でウォッチ中のものを確認できます。`,
  },
  places: {
    file: 'ファイル',
    line: (line) => `${line}行目`,
    entry: (entry) => `${entry}番目の項目`,
    before: (place, fault) => `**${place}**：${fault}`,
  },
  faults: {
    notUtf8: 'UTF-8 のテキストではありません。使えるもの：UTF-8 で保存した CSV か JSON。',
    empty: 'ウォレットがありません。使えるもの：1行に1件。',
    noCsv: (isOpenQuote) =>
      `CSV ではありません：${isOpenQuote ? '引用符が閉じていません' : '置けない場所に引用符があります'}。`,
    noJson: (why) => `JSON ではありません（${why}）。`,
    notList: 'JSON ですが、リストではありません。使えるもの：アドレスまたは項目のリスト。',
    notEntry:
      'アドレスでも、ウォレットを含むオブジェクトでもありません。使えるもの：`"0x…"` または `{"wallet": "0x…"}`。',
    noColumn: (column, columns) => `列 ${column} がありません。使えるもの：${columns}。`,
    unknownColumn: (column, columns) => `列 ${column} は使えません。使えるもの：${columns}。`,
    columnTwice: (column) => `列 ${column} が2つあります。1つにしてください。`,
    unknownKey: (key, columns) => `キー ${key} は使えません。使えるもの：${columns}。`,
    keyTwice: (key) => `キー ${key} が2つあります。1つにしてください。`,
    object: (key) => `${key} がオブジェクトです。使えるもの：テキスト、数値、またはそのリスト。`,
    list: (key) => `${key} がリストです。使えるもの：1つのテキストか数値。`,
    cells: (cells, accepted) =>
      `セルが${cells}個あります。使えるのは1行目と同じ${accepted}個です。`,
    tooManyNames: (count, columns) => `名前が${count}個あります。使えるもの：${columns}。`,
    tooMuch: (accepted) =>
      `内容が多すぎます。使えるのは${accepted}件までです。2つのファイルに分けてください。`,
    tooLong: (column, characters) =>
      `${column} が長すぎます。使えるのは${characters}文字までです。`,
    repeated: (place) => `${place}と同じウォレットとチャンネルです。どちらか1つにしてください。`,
    noWallet: 'wallet がありません。使えるもの：0x に続く40桁の16進数。',
    bothListed: (only, except) =>
      `${only} と ${except} の両方に値があります。どちらか一方にしてください。`,
    tooManyListed: (column, listed, accepted) =>
      `${column} に${listed}件あります。使えるのは${accepted}件までです。`,
    bandReversed: (min, max) =>
      `minPriceCents ${min} が maxPriceCents ${max} を上回っています。入れ替えてください。`,
    noChannel: (given) =>
      `channel が ${given} です。使えるもの：このサーバーのチャンネルの名前か ID。アーカイブされたスレッドは、先に開いてください。`,
    manyChannels: (given) =>
      `channel が ${given} です。同じ名前が複数あります。ID を書いてください。`,
    noRole: (given) =>
      `mentionRole が ${given} です。使えるもの：このサーバーのロールの名前か ID。`,
    manyRoles: (given) =>
      `mentionRole が ${given} です。同じ名前が複数あります。ID を書いてください。`,
    value: (column, given, accepted) => `${column} が ${given} です。使えるもの：${accepted}。`,
  },
  accepted: {
    usdc: '100 や 0.5 のような0以上の USDC',
    cents: '5 や 99.5 のような0から100のセント',
    seconds: (max) => `0から${max}の整数の秒`,
    oneOf: (tokens) => `${tokens.join('、')}、または空欄`,
    kinds: (tokens) => `${tokens}、または other 以外すべてなら空欄`,
    label: (max, length) => `${max}文字まで（これは${length}文字）`,
    words: (max) => `${max}文字までの語句（文字か数字を含むもの）`,
    marketNames: (max) => `${max}文字までの ID かスラッグ`,
    paused: 'yes、no、または 2026-11-30T18:00:00Z のような期限',
    unspoiltId: (sign) =>
      `${sign}名前、ID、またはメンション（この ID は表計算ソフトに切り詰められています）`,
    names: '空白で区切った名前、または `["one","two"]` のようなリスト',
  },
});
