import type { Language } from './language.ts'

/** Chinese. It has no spaces between words, so phrases match anywhere in a text. */
export const CHINESE: Language = {
  code: 'zh',
  isUnspaced: true,
  askingWords: `
    什么时候 为什么 什么 多少 多久 哪些 哪里 哪个 哪种 哪一 如何 怎么样 怎么 怎样 为何 何时 何处 谁 甚麼 為什麼 什麼 為何 哪裡 誰
  `,
  askingEnds: '吗 呢',
  askingBeginnings: '何 几 幾 谁 誰 哪 怎 多少 什么 甚麼 什麼',
  genericWords: `
    时间 时候 日期 日子 多久 多少 最多 最少 至少 价格 价钱 费用 意思 可以 能 能够 要 需要 应该 必须 怎么 怎样 如何 打开 使用 用 卖 买 名字 名称 号码 数量 大小 长度 现在 每次 每天
    每年 每月 一次 第几 有 没有 给 做 到 去 来
  `,
  questions: {
    ends: '吗 呢 请告诉我 请告知',
    requests: '(请问|请告诉(我|我们)|我想(知道|问|了解))',
    labels: '问 问题 提问',
    unknown: '(不知道|不清楚|不太清楚|没印象|不记得)',
    whichAnywhere: '哪[一][个間间种家些款位]',
    situationEnds: '期间 的时候 之际',
    phrases: {
      percentage: `
        百分之(几|多少)
        百分比
        比例是
      `,
      money: `
        多少(钱|元|块)
        几(元|块)
        什么价格
        (价格|费用)是
        (价格|费用|票价|租金|押金|工资|房租|罚款|收费)[是]多少
        (要|用)不(要|用)(钱|付|交|收)
      `,
      duration: `
        多久
        多长时间
        多少(年|天|小时|分钟|个月|个小时)
        几(年|天|小时|个月|个小时|分钟|周|个星期)
      `,
      hour: '几点',
      date: `
        (什么时候|什么时间|什么日期|何时)
        哪[一](年|天)
        几(月|号)
        哪个世纪
        年份
      `,
      measure: `
        多(高|重|深|快|宽)
        (重量|高度|温度)
      `,
      identifier: '((电话|手机|订单|发票|账户|合同|客户|编)号|电话[是]多少|电话 $)',
      version: `
        (哪个|什么|哪一个|哪|几号)版本
        版本是
      `,
      number: `
        多少
        几(个|位|次|名|种|条|座|所|场|间|本|辆|台|张|层|楼|人|份)
        多(高|大|远|重|深|快|宽|长)
        数量
        人口是
      `,
      parties: `
        双方(是谁|当事人)
        甲方和乙方
      `,
      person: `
        谁
        哪位
        何人
        什么人
        名字是
        叫什么名
      `,
      place: `
        (哪里|哪儿|何处|在哪|什么地方|哪国)
        哪个(城市|国家|地方|省|州|地区)
        哪些(城市|国家|地区)
      `,
      organization: `
        哪个(公司|组织|机构|大学|球队|团体|学校|政党)
        哪家
        什么(公司|组织|机构|大学)
      `,
      reason: '(为什么|为何|原因|怎么会|目的是)',
    },
  },
  answers: {
    open: '开放 营业 开门',
    closed: '关闭 休息 休馆 闭馆',
    versions: '修订版 版本 版 修订',
    numbers: '〇 零 一 二 两 三 四 五 六 七 八 九 十 百 千 万 亿',
    weekdays: '(周|星期|礼拜)(一|二|三|四|五|六|日|天|末)',
    fractions: '折 成',
    timeUnits: '年 个月 月 天 小时 分钟 秒 周 星期 世纪',
    prices: '免费 无偿 免收',
    currencies: '美元 欧元 英镑 元 日元 法郎',
    measures: '千克 公斤 斤 克 吨 米 厘米 毫米 公里 升 毫升 度 摄氏度 分贝 平方米',
    percent: '百分之',
    hourUnits: '点',
    dateUnits: '年 月 日 世纪 号',
    placeEndings: '国 市 省 州 县 区 岛 河 山 海 城 洲 镇',
    organizationEndings: '公司 大学 组织 机构 队 党 协会 委员会 学校 集团',
    permission: '可以 不可 不得 禁止 允许',
    reasons: '因 由于 为了 以便 以免 导致 鉴于 所以 原因',
  },
  synonyms: { phone: '电话 电话号码 联系电话 咨询电话 热线 客服热线', email: '邮箱 电子邮箱' },
  negation: {
    words: '不(予|可|得|能|准|许|允|包|含|在|适|保|赔|支|退|宜) 禁止 严禁 除外 免责 例外 没有 未包 移除 删除',
  },
}
