package openapi

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// TestTokens holds the estimate to within 10 % of a tokenizer, over the tools of
// a whole document.
func TestTokens(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	compare := func(t *testing.T, s *ir.Server) {
		t.Helper()
		got, want := 0, 0
		for _, tool := range s.Tools() {
			text := tool.AppendJSON(nil)
			n, err := codec.Count(string(text))
			if err != nil {
				t.Fatal(err)
			}
			got, want = got+ir.Tokens(text), want+n
		}
		if off := float64(got)/float64(want) - 1; math.Abs(off) > 0.1 {
			t.Errorf("estimate %d, tokenizer %d: off by %.0f %%", got, want, 100*off)
		}
	}
	t.Run("our own text", func(t *testing.T) {
		s, _ := mustParse(t, head+`
paths:
  /boxes/{boxId}/messages:
    get:
      operationId: waitForMessage
      summary: Wait for a message
      description: >-
        Waits until a message that matches the filter arrives in the inbox, at most the given number of seconds,
        and answers with its subject, sender, text and attachments. Übergrößen und Umlaute zählen auch: 日本語のテキスト。
      parameters:
        - {name: boxId, in: path, required: true, description: 'Id of the inbox, a UUID.', schema: {type: string, format: uuid}}
        - {name: timeout, in: query, description: Seconds to wait., schema: {type: integer, minimum: 1, maximum: 600, default: 30}}
        - {name: subjectContains, in: query, schema: {type: string, examples: [Welcome to the club, Reset your password]}}
        - {name: order, in: query, schema: {type: string, enum: [newest_first, oldest_first]}}
      responses:
        '200': {description: The message, content: {application/json: {schema: {type: object, properties: {id: {type: string}, subject: {type: string}}}}}}
`, Options{})
		compare(t, s)
	})
	for _, file := range []string{"asana/asana.yaml", "petstore3/petstorev3.json", "slack/slack_web_openapi_v2.json"} {
		t.Run(file, func(t *testing.T) {
			var diags diag.List
			s := Parse(context.Background(), filepath.Join(shared(t, "corpus"), file), Options{}, &diags)
			if s == nil {
				t.Fatal(printed(&diags))
			}
			compare(t, s)
		})
	}
}

// TestTokensOfScripts holds the estimate to within 15 % for texts that are not in
// Latin letters.
func TestTokensOfScripts(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ script, text string }{
		{"Cyrillic", "Возвращает список товаров, находящихся на указанном складе. Если склад не найден, возвращается ошибка. Результаты разбиты на страницы. Обязательное поле."},
		{"Greek", "Επιστρέφει τη λίστα των προϊόντων που βρίσκονται στην καθορισμένη αποθήκη. Εάν η αποθήκη δεν βρεθεί, επιστρέφεται σφάλμα."},
		{"Chinese", "返回指定仓库中的商品列表。如果找不到仓库,则返回错误。结果按页返回。仓库的标识符,必填。要搜索的商品名称或名称的一部分。"},
		{"Japanese", "指定された倉庫の在庫商品の一覧を取得します。結果はページ単位で返されます。倉庫が存在しない場合はエラーになります。レスポンスに含まれるレコードの最大数。"},
		{"Korean", "지정된 창고에 있는 상품 목록을 반환합니다. 창고를 찾을 수 없으면 오류가 반환됩니다. 결과는 페이지로 나뉩니다."},
		{"Arabic", "يعيد قائمة المنتجات الموجودة في المستودع المحدد. إذا لم يتم العثور على المستودع، يتم إرجاع خطأ. يتم تقسيم النتائج إلى صفحات."},
		{"Hebrew", "מחזיר את רשימת המוצרים הנמצאים במחסן שצוין. אם המחסן לא נמצא, מוחזרת שגיאה. התוצאות מחולקות לעמודים."},
	} {
		t.Run(test.script, func(t *testing.T) {
			want, err := codec.Count(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := ir.Tokens([]byte(test.text)); math.Abs(float64(got)/float64(want)-1) > 0.15 {
				t.Errorf("estimate %d, tokenizer %d", got, want)
			}
		})
	}
}
