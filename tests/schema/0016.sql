-- A database as askuser 0.1.0 wrote it (schema 16). Never changed.
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1095977813;
BEGIN TRANSACTION;
CREATE TABLE access_key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    person TEXT NOT NULL REFERENCES person (name),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO "access_key" VALUES(1,X'01A1F52384F27000BAB8DFDD315D13D3',X'EC4E2BB906C7015C31C103FC24866C31B626F5DEB1D18F3DD8F5F10223DF314E','agent','local','local',1795114108146,NULL);
INSERT INTO "access_key" VALUES(2,X'01A1F52385017000816D7F37DA23DD4F',X'FFCBC3AD1BF9C85AB17903CCAA7B05FA570B23A602F342E839AB7ACB9258EA3A','person','local','local',1795114108161,NULL);
INSERT INTO "access_key" VALUES(3,X'01A1F523850670008D715FB7598C79A2',X'447B13C4D34908B3AC44AD30171457C9C430E23E4B3A8912B69EAFABBC791080','admin','local','local',1795114108166,NULL);
INSERT INTO "access_key" VALUES(4,X'01A1F523900170008518655C4463BE05',X'3ED43249E4CD32AFD444065DBFE7EE09E52CBAA2CD484C76D755CC4558086854','agent','ben','made by hand',1795114110977,NULL);
CREATE TABLE "answer_link" (
    hash BLOB NOT NULL PRIMARY KEY,
    ask BLOB NOT NULL,
    person TEXT NOT NULL REFERENCES person (name),
    channel TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;
CREATE TABLE "ask" (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n),
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing BETWEEN 0 AND 2),
    state TEXT NOT NULL,
    -- When something is next to happen to it by itself.
    deadline INTEGER,
    idempotency_key TEXT,
    -- The number of the fact that ended it.
    closed INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT,
    erased_at INTEGER,
    people TEXT
) STRICT;
INSERT INTO "ask" VALUES(1,X'01A1F52385587000B4BFE6616C9B49BC',1,'local',1,1,1,'closed',NULL,'cli-1a1f5238429-46a2-b4b6b2f54d37113b',4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file","program":["/tmp/h/store-tmp/bin16/askuser",null]},"at":1795114108305,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1F52385A57000AB4862C61CEE5135',1,'local',2,1,1,'closed',NULL,'cli-1a1f52385a3-46cb-10ce546288083882',7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file","program":["/tmp/h/store-tmp/bin16/askuser",null]},"at":1795114108543,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1F52386A8700094B35A6894E93660',1,'local',3,1,2,'completed',1795114109584,'cli-1a1f52386a6-46db-371c70f17cd6a813',10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1795114109649,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1F5238C61700092ACC58BA0B102BA',2,'local',1,1,0,'showing',NULL,'cli-1a1f5238429-46a2-b4b6b2f54d37113b',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1F5238EC07000BB8180E971E33AD8',2,'local',4,1,0,'showing',NULL,'cli-1a1f5238dc8-46f9-7cee1549e46deaa5',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71ARE00B9FZ6C5P9PJDW","session_name":"conversation","owner":"local","asked_by":"01a1f52384f27000bab8dfdd315d13d3","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f5238429-46a2-b4b6b2f54d37113b","reply_in":"full"},"fingerprint":"1:7cd13422bb134c13acfd62d711b1371d","asked_at":1795114108248,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71D5E00APJ32RREEWM9N","session_name":"conversation","owner":"local","asked_by":"01a1f52384f27000bab8dfdd315d13d3","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f52385a3-46cb-10ce546288083882","reply_in":"full"},"fingerprint":"1:9ae0d48533e19615a4abe951fc32041b","asked_at":1795114108325,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71N8E0099CTTD2AEJDK0","session_name":"conversation","owner":"local","asked_by":"01a1f52384f27000bab8dfdd315d13d3","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"idempotency_key":"cli-1a1f52386a6-46db-371c70f17cd6a813","reply_in":"full"},"fingerprint":"1:e14d9cc2830057dbba52ae0addca2db6","asked_at":1795114108584,"deadline":1795114109584,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7TJ7331E00RESWMSXW4P3Y6","ask":"ask_01M7TJ7331E0095B65HEGB20NT","session_name":"conversation","owner":"local","asked_by":"01a1f52384f27000bab8dfdd315d13d3","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f5238429-46a2-b4b6b2f54d37113b","reply_in":"full"},"fingerprint":"1:7cd13422bb134c13acfd62d711b1371d","asked_at":1795114110049,"state":"pending","reopens":"ask_01M7TJ71ARE00B9FZ6C5P9PJDW"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7TJ7331E00RESWMSXW4P3Y6","ask":"ask_01M7TJ73P0E00BQ0C0X5RY6EPR","session_name":"conversation","owner":"local","asked_by":"01a1f52384f27000bab8dfdd315d13d3","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f5238dc8-46f9-7cee1549e46deaa5","reply_in":"full"},"fingerprint":"1:391ecd9a2e12fff21079ed83998649db","asked_at":1795114110656,"state":"pending"}');
CREATE TABLE ask_question (
    session INTEGER NOT NULL,
    question TEXT NOT NULL,
    ask INTEGER NOT NULL,
    PRIMARY KEY (session, question, ask)
) STRICT, WITHOUT ROWID;
INSERT INTO "ask_question" VALUES(1,'q1',1);
INSERT INTO "ask_question" VALUES(1,'q2',2);
INSERT INTO "ask_question" VALUES(1,'q3',3);
INSERT INTO "ask_question" VALUES(2,'q1',4);
INSERT INTO "ask_question" VALUES(2,'q5',5);
CREATE TABLE "browser" (
    hash BLOB NOT NULL PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (name),
    endpoint TEXT NOT NULL,
    key BLOB NOT NULL,
    auth BLOB NOT NULL,
    language TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE "confirmed_rule" (
    person TEXT NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (person, digest)
) STRICT;
CREATE TABLE "cookie" (
    hash BLOB NOT NULL PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    person TEXT NOT NULL REFERENCES person (name),
    -- The proof of whoever made its link: `terminal`, `cookie`, `key_file`, `as_person`.
    made_with TEXT NOT NULL,
    name TEXT NOT NULL,
    -- What the browser says of itself.
    user_agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    -- Up to when its person was told, in this browser, of others that signed in.
    told_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE "fact" (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    -- The fact before it in its session; none for the first.
    before INTEGER,
    ask INTEGER,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
INSERT INTO "fact" VALUES(1,1795114108248,'session_opened',1,NULL,NULL,X'1041263F13AF32D882BC661906C2B439',X'58916DB8A960B217FE1101CDA28EEDDFE3A9F48CB8F75A60C4396F61CDE43CBA',X'37974D4EE51F713B83AE6C0BA1A9EC7AB97B87AE69CE0E05AD8104E7405A720A','{"session":"ses_01M7TJ71ARE00V0G07AST448S0","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1795114108248,"last_activity":1795114108248}');
INSERT INTO "fact" VALUES(2,1795114108248,'asked',1,1,1,X'480593686B810D7447D2B21E0DCD6AE9',X'03F58B355DC48C0198CEEC9EF55DE1A8A1FCBF8870A5851A6F22A510B674D9DC',X'40581BE8A20FF5E8B9CD77D814070BD7D5FC00D99FBF988083DD5655077078A5',NULL);
INSERT INTO "fact" VALUES(3,1795114108248,'shown',1,2,1,X'AB6AF3A61E2DC9D8FA609AF0B9CAC969',X'6CDD40A773BAECB17D0EE996AA43926A853A8469609C6BAE390983E90A8F47E3',X'D6BDD664E8F1842D3CEB106E89E8897E6057C8E44FEC7033B50C703D92FA6697','{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71ARE00B9FZ6C5P9PJDW"}');
INSERT INTO "fact" VALUES(4,1795114108305,'closed',1,3,1,X'C750D9997E3A2B88CBF0F68FEB053B49',X'77C32BA7C6AF5BB6C485F19DE8A8492CF86CEFFF5BE7A0D8A4E21CA7366D87FF',X'082306D2F241375CBBF8FAF866AAE4BFA173B5767D5676D78FB83856F64AE450','{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71ARE00B9FZ6C5P9PJDW","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file","program":["/tmp/h/store-tmp/bin16/askuser",null]},"at":1795114108305,"answers":[{"question":"q1","picked":["a"]}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(5,1795114108325,'asked',1,4,2,X'08F217F6D293891B0266BA7A2CD9523F',X'7C10DC7093C1D1B98472D3138D6B96EA3FCF15024659F8A4CD06C6F96E8FE6AD',X'6FCBF6EA658F6E3E438008F6146DE0228B64529FE935697745ED1063464E9B30',NULL);
INSERT INTO "fact" VALUES(6,1795114108325,'shown',1,5,2,X'7465D91774436BC5865F75EA79B59D9B',X'B93BD93F43D4AA306DB7C0205AD3E3CE4FA773999D59828F7D4DFE0C5AF8C2DD',X'8F0618B1A6F48C91369F88056EAB90B23A84984B4F386A11CACC151C8B544D4F','{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71D5E00APJ32RREEWM9N"}');
INSERT INTO "fact" VALUES(7,1795114108543,'closed',1,6,2,X'D241B7B0A25E69926C1F6079CC4051FD',X'C80D6893AFB23C0145B4B192210BACAE97F3232CCA482416B1FEFCE0F3BB970E',X'210F94CA872FCBAFB2D2CA5207ED232AAF899FDCCA97F2AADE039B093C03B17B','{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71D5E00APJ32RREEWM9N","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file","program":["/tmp/h/store-tmp/bin16/askuser",null]},"at":1795114108543,"comment":"not now","answers":[{"question":"q2","skipped":true}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(8,1795114108584,'asked',1,7,3,X'1900FA8C832AE9B34ED101595E100425',X'FA1082771F5842EB85F3FB3C71BD89533EF928592054CF93C1B7D0460927E241',X'88B0B4BF2D4C2799D96FD9AA2986AACE2DB18C8CB3F1FFA9FE4165F1381A6468',NULL);
INSERT INTO "fact" VALUES(9,1795114108584,'shown',1,8,3,X'0572A77F579E0DD5DAFF67AA17A83CD3',X'ED39FEF072DA87AA9B82556B28E94C021BDC772D8C08F2091FBCD0215A7F7A89',X'BAE1A4A5750C2B537CBBE73DBDE565740EB451FCA2858D4B712244089EE19211','{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71N8E0099CTTD2AEJDK0"}');
INSERT INTO "fact" VALUES(10,1795114109649,'closed',1,9,3,X'7B010690C1E7E91672A1E271E59D234D',X'567A0AA65EA92814F1FD6F365004C41820032372E3F8B9ABF0B471AC8A56696E',X'4CE1F713B0DAE4A183776D354576C87649166B9C48D1735070528139A6FFADDB','{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71N8E0099CTTD2AEJDK0","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1795114109649,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1795114109691,'delivered',1,10,3,X'E0A041749C392D3458DD206DEDA4339F',X'924BF65ECA1DCAF61C38268F301A73A5B255436DB8240A77E6DCD0958D192930',X'FB68F3D76E40B73ED542BAB385E7ACC58CCF35383A559CE3A1B2DB388DA153B4','{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71N8E0099CTTD2AEJDK0"}');
INSERT INTO "fact" VALUES(12,1795114109691,'acknowledged',1,11,3,X'D2E219249E097085FAAE196C3E7D6D95',X'3E6800010AAD743198A1AAF664DF1294535734CA2D4AA1A72044511AF55568CE',X'9F99015D0619272DB16FA0B238A618BDB7946903B35B6480B7279AE00C1AD572','{"session":"ses_01M7TJ71ARE00V0G07AST448S0","ask":"ask_01M7TJ71N8E0099CTTD2AEJDK0"}');
INSERT INTO "fact" VALUES(13,1795114110049,'session_ended',1,12,NULL,X'8D291E9CB4B50D22213A18C5BD238243',X'75B5C963683D441D8A6214AA3B7E1E7147EFAF0E764A027EF406EB03C599B1D7',X'EADE03E77EA056791DB7C044192A81CD82086AB9EE0B0D7E1E2DA9084FADA4C7','{"session":"ses_01M7TJ71ARE00V0G07AST448S0","status":"completed"}');
INSERT INTO "fact" VALUES(14,1795114110049,'session_opened',2,NULL,NULL,X'71D8F6106BB03E40989A88760897346B',X'F9EE02071DCCEDF3F903F087232845E17910489C32855462F8109CE7DBAC916D',X'97ED90A8207E7F54C5E266B54A95063BF8DAFD53FB4F47176C9E66A644C6F369','{"session":"ses_01M7TJ7331E00RESWMSXW4P3Y6","owner":"local","external_id":"conversation","origin":{"restored":"ses_01M7TJ71ARE00V0G07AST448S0"},"status":"active","round":3,"created_at":1795114110049,"last_activity":1795114110049,"restored_to":1795114108248,"restore_reason":"manual_recovery","last_round":{"fingerprint":"61bd5cdf7af063402552a9b2b0f9c740","depth":1,"at":1795114108584}}');
INSERT INTO "fact" VALUES(15,1795114110049,'asked',2,14,4,X'8438069F6B55E226B48BE382EA6B23B4',X'8DF99F13E51F108E02ED5B05D6226163F6324F1356D878E90DD86C5D5ADDD1E8',X'C2552FF237590BEBAFCE1C79C8BF65594284EDC50251A3ADD9F24AAA9F8D5D4A',NULL);
INSERT INTO "fact" VALUES(16,1795114110049,'shown',2,15,4,X'3171E86EA750735AA8E6E81DAFD00D3A',X'4E3B42E32ACDB2F1594C16EA9956836572A89447A90DB434CB052BD3AEA55003',X'48D2A1AD20947F50DCB2A8144A1A523DF4D45BCDB744773F9640BBCF67DED66E','{"session":"ses_01M7TJ7331E00RESWMSXW4P3Y6","ask":"ask_01M7TJ7331E0095B65HEGB20NT"}');
INSERT INTO "fact" VALUES(17,1795114110656,'asked',2,16,5,X'D2881E035C9320077A7FAC178D15BCC1',X'3046D0128EF053B8BAC2112BE90304B8EA75363BB01FF19DF0C94E99C4642F7C',X'F1BB1E35D766E11D0D43BBE6BA0FE6F02C329532B468EFB4AC6D1085B03BAC37',NULL);
INSERT INTO "fact" VALUES(18,1795114110656,'shown',2,17,5,X'9B8A88B707DCB328DC81993AC423EF29',X'CC1AE59FBA170B42168874213301846D5C4929E0A5740024F84325281212ACD3',X'367764076EB2D19A32DE69960EF39BCDE96EAF79A0431613942235E62DF44432','{"session":"ses_01M7TJ7331E00RESWMSXW4P3Y6","ask":"ask_01M7TJ73P0E00BQ0C0X5RY6EPR"}');
INSERT INTO "fact" VALUES(19,1795114111215,'session_opened',3,NULL,NULL,X'6DF420580711D270D4C8EB1CA8EC4B0A',X'A0B6160DDB2EDDD00B41CD1E2927E8EFDFB1A225849053CBF71877CC605F32A2',X'B6E8A9DCF4D61743F1FE9739A21643FCE685C928CC44A2917D64A81440A6CD74','{"session":"ses_01M7TJ747FE00SRSPQ65KJYY9T","owner":"local","origin":"named","status":"active","round":0,"created_at":1795114111215,"last_activity":1795114111215}');
INSERT INTO "fact" VALUES(20,1795114111215,'task_changed',3,19,NULL,X'B6C0D36722809957175C68E04C719EB8',X'7A48FC4ED15C063026CE464D054F8B6DA03325A3B3C92DB0D6A179C76B3860A9',X'6046C4AE8883624B1462837DFA50289CB3313BA747A5D42705A42CDF0D7E2BCA','{"session":"ses_01M7TJ747FE00SRSPQ65KJYY9T","by":{"user":"local","channel":"api","proof":"key_file","program":["/tmp/h/store-tmp/bin16/askuser",null]},"task":{"task":"task_01M7TJ747FE00BJKNG0HHF3KZZ","session":"ses_01M7TJ747FE00SRSPQ65KJYY9T","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"server":"srv_7F8A9F1KE8G8D5H80K6EZQ4044","created_at":1795114111215,"changed_at":1795114111215}}');
INSERT INTO "fact" VALUES(21,1795114111215,'said',3,20,NULL,X'F09C8CD123F02022ED1AA657C65D1F5B',X'D5A413D8A68EC38241A6476DCE9B775B68AE86CE2E857AD59D8167A9DB41D18E',X'E89A6421FD6DCF3812D14058B2D9F641530A17E6EB863EB0DA22B65EDFA80AB6','{"session":"ses_01M7TJ747FE00SRSPQ65KJYY9T","uuid":"01a1f523-90ef-7002-9f6b-4f30cf500d1e","round":0,"at":1795114111215,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(22,1795114111222,'task_changed',3,21,NULL,X'489855E0B35BE1B94BE5EE92134B2190',X'E62711512C9ECDBBB5F08516FC3ADD25CB919070786E88591958269977716D41',X'AEF6639B98F049357616EAB70910EBD2EFFA757D906C29B69B97971A7E247DD7','{"session":"ses_01M7TJ747FE00SRSPQ65KJYY9T","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7TJ747FE00BJKNG0HHF3KZZ","session":"ses_01M7TJ747FE00SRSPQ65KJYY9T","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"server":"srv_7F8A9F1KE8G8D5H80K6EZQ4044","pid":18197,"pid_started":1522486,"created_at":1795114111215,"changed_at":1795114111222}}');
INSERT INTO "fact" VALUES(23,1795114111227,'said',3,22,NULL,X'20CD981D89510BE255AAFBC9CB40AA59',X'F16B4AD760256909BA19002E8359F7530B476D633A76A711E915E7491FE3BADB',X'19D299AF9FAD01D386D3D4910E51563EC40BD03D02DBE76EB6C990EC86115F5F','{"session":"ses_01M7TJ747FE00SRSPQ65KJYY9T","uuid":"01a1f523-90fa-7000-8039-9174494ac76e","parent":"01a1f523-90ef-7002-9f6b-4f30cf500d1e","round":0,"at":1795114111227,"kind":"error","text":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}"}');
INSERT INTO "fact" VALUES(24,1795114111229,'task_changed',3,23,NULL,X'C6F227103226A79BBDBA513C30ABE733',X'A39C0D8F858360E61D5C709F9E6C5B14E314DA741AA9A179B08547933203389C',X'744CDE1680853D70D72151F30603728DA74331F1887DBFF5F94CCBFF5DCB78DA','{"session":"ses_01M7TJ747FE00SRSPQ65KJYY9T","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7TJ747FE00BJKNG0HHF3KZZ","session":"ses_01M7TJ747FE00SRSPQ65KJYY9T","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_7F8A9F1KE8G8D5H80K6EZQ4044","created_at":1795114111215,"changed_at":1795114111229}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,24,X'744CDE1680853D70D72151F30603728DA74331F1887DBFF5F94CCBFF5DCB78DA');
CREATE TABLE "login_link" (
    hash BLOB NOT NULL PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (name),
    expires_at INTEGER NOT NULL,
    made_with TEXT NOT NULL
) STRICT;
CREATE TABLE "made_rule" (
    person TEXT NOT NULL,
    ask BLOB NOT NULL,
    place INTEGER NOT NULL,
    mark BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (person, ask, place)
) STRICT;
CREATE TABLE "nudge" (
    ask BLOB NOT NULL,
    person TEXT NOT NULL,
    step INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    PRIMARY KEY (ask, person, step, channel)
) STRICT;
CREATE TABLE person (
    name TEXT NOT NULL PRIMARY KEY,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "person" VALUES('local',1795114108129,NULL);
INSERT INTO "person" VALUES('ben',1795114110730,NULL);
CREATE TABLE push_key (
    n INTEGER PRIMARY KEY CHECK (n = 1),
    pkcs8 BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    program TEXT NOT NULL
) STRICT;
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(5,'audit','c98e22eadc28081478213b19d3c691a6e4c3fa0809c4d75ebbe91a7a36aea3ca',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(6,'servers','7a64fdea78f8d0d59020d408973ce50d8c1a740036d1cbf2fe89010a01bcdc90',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(7,'people','b4fa2e66a04ce215edf9e3bab9fe4f0933920da8b562c1abb427a94d63a79815',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(8,'nudges','e5258a6e17a2afd02ac5818f7578168333756afa7fc9c56f558a8395494bf63c',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(9,'push','d28aae69be8d683cce8619d595412841a249723bf6f2c56cab0d4f3cc89daffa',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(10,'rules','4f0dabe9841551264126fb07575a7ac4b4bff37a7dc5595b0cb0e052a7163dde',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(11,'timing','aa1b71de9212808276bcf7c7d56573313753d4a0ddc0fd25c827bcb3674e08d0',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(12,'standing','af8e51b68d9cd2f6ee8cdc6cc3b36ad047f9f83b61ad64dcf731f309cfc48a87',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(13,'confirming','fad3334da6f4f6ad07fb462fd9c2918d65d184c9c4a79884bfd956bddcf6d8bb',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(14,'browsers','44b45dfdef2952061e717749048172e48058193706d9cc7854527a831a334d8c',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(15,'restoring','21f6a277b7b672211b5e2e72d08aba92cc5792299d55a31e565170ecda1011d4',1795114108062,'0.1.0');
INSERT INTO "schema_migration" VALUES(16,'names','2671289440b71e32735ebac0e61c5f00bf122118da366a821bed11e05c241629',1795114108062,'0.1.0');
CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_event" VALUES(1,1795114108125,'file_changed','medium','{"file":"config.yaml","server":"srv_7F8A9F1KE8G8D5H80K6EZQ4044","before":null,"after":"78562c7100ae4824748a911af12fcf6f0ac3e30b4ef60c1be3703abc0d568953"}',X'B1DD84A76D661323A175E1FBDCCF7B8026D03E7BD47EA61771C032107702D7DB');
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_head" VALUES(1,1,X'B1DD84A76D661323A175E1FBDCCF7B8026D03E7BD47EA61771C032107702D7DB');
CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    external_id TEXT,
    -- 0 for the session that holds the name now, its own `n` for one whose name was taken over.
    superseded INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL CHECK (origin IN ('named', 'derived', 'restored')),
    restored_from BLOB,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'timeout')),
    round INTEGER NOT NULL,
    total_rounds INTEGER,
    created_at INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    last_fingerprint BLOB,
    last_depth INTEGER,
    last_at INTEGER,
    n_open INTEGER NOT NULL
, restore_reason TEXT, last_fact INTEGER, timeout_ms INTEGER, timeout_policy TEXT, restored_to INTEGER) STRICT;
INSERT INTO "session" VALUES(1,X'01A1F52385587001B040075674422320','local','conversation',1,'named',NULL,'completed',3,NULL,1795114108248,1795114110049,X'61BD5CDF7AF063402552A9B2B0F9C740',1,1795114108584,0,NULL,13,NULL,NULL,NULL);
INSERT INTO "session" VALUES(2,X'01A1F5238C617001876794CF784B0FC6','local','conversation',0,'restored',X'01A1F52385587001B040075674422320','active',4,NULL,1795114110049,1795114110656,X'4383E1B57F926610B46BB4B43B0C063F',1,1795114110656,2,'manual_recovery',18,NULL,NULL,1795114108248);
INSERT INTO "session" VALUES(3,X'01A1F52390EF70019C66D731672F793A','local',NULL,0,'named',NULL,'active',0,NULL,1795114111215,1795114111229,NULL,NULL,NULL,0,NULL,24,NULL,NULL,NULL);
CREATE TABLE task (
    session INTEGER PRIMARY KEY REFERENCES session (n),
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB
, server BLOB) STRICT;
INSERT INTO "task" VALUES(3,X'01A1F52390EF7000B94EB00462F1CFFF','local','failed','{"task":"task_01M7TJ747FE00BJKNG0HHF3KZZ","session":"ses_01M7TJ747FE00SRSPQ65KJYY9T","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_7F8A9F1KE8G8D5H80K6EZQ4044","created_at":1795114111215,"changed_at":1795114111229}',X'01A1F52390FA700080399174494AC76E',X'EF4292F0CDC8821A58A01333BF720084');
CREATE TABLE "watched_file" (
    server TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BLOB,
    at INTEGER NOT NULL,
    PRIMARY KEY (server, name)
) STRICT;
INSERT INTO "watched_file" VALUES('srv_7F8A9F1KE8G8D5H80K6EZQ4044','config.yaml',X'78562C7100AE4824748A911AF12FCF6F0AC3E30B4EF60C1BE3703ABC0D568953',1795114108125);
CREATE UNIQUE INDEX session_name ON session (owner, external_id, superseded) WHERE external_id IS NOT NULL;
CREATE INDEX session_owner ON session (owner);
CREATE INDEX session_counted ON session (owner) WHERE n_open > 0 AND origin <> 'derived';
CREATE INDEX session_live ON session (created_at) WHERE status = 'active';
CREATE INDEX task_owner ON task (owner);
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX cookie_person ON cookie (person);
CREATE INDEX login_link_expiry ON login_link (expires_at);
CREATE INDEX answer_link_expiry ON answer_link (expires_at);
CREATE INDEX browser_person ON browser (person);
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;
CREATE INDEX made_rule_mark ON made_rule (person, mark);
COMMIT;
